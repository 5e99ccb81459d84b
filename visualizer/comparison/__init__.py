"""Two runs of one recording beside each other.

``aligned`` pairs their steps, ``parting`` finds where and why they part, ``code`` marks the
difference of their loops, ``report`` says all of it as text and as data.
"""

from visualizer.comparison.aligned import Comparison, compare

__all__ = ["Comparison", "compare"]
