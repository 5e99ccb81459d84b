"""A question to a whole room, before the next step."""
