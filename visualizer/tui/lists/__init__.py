"""Lists to choose from, narrowed down by typing."""
