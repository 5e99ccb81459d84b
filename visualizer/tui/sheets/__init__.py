"""Long texts to read: help, a message, a request, what takes room, a recording's file."""
