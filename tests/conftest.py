"""Settings for all tests."""

from hypothesis import HealthCheck, settings

# No test depends on how fast the machine is; what else the default profile says stays
# (where CI is set, hypothesis draws the same examples every time).
settings.register_profile(
    "any-speed", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any-speed")
