"""``python -m visualizer``."""

from visualizer.cli import main

if __name__ == "__main__":
    main()
