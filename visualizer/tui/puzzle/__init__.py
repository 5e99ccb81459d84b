"""A loop's lines in disorder, to put in order and run."""
