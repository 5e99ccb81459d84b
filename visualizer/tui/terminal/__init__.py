"""The terminal: what it sends, what it is sent, and that it is given back as it was."""
