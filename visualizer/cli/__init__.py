"""The command line: its way in, the commands, and what they print."""
