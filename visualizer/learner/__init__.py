"""What a reader has done in the lessons, and the file that keeps it."""
