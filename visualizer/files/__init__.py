"""Files that a reader names, that come with the program, or that several windows keep."""
