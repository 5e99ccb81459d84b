"""Settings for all tests."""

import signal

from hypothesis import HealthCheck, settings

# No test depends on how fast the machine is; what else the default profile says stays
# (where CI is set, hypothesis draws the same examples every time).
settings.register_profile(
    "any-speed", settings(), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("any-speed")

# Shells start what runs in the background with these ignored, and all that it starts inherits
# that: programs that are told here to end by them would go on.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if hasattr(signal, "SIGQUIT") and signal.getsignal(signal.SIGQUIT) is signal.SIG_IGN:
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
