"""The transcript file: its records, its schema, and what must fit together in it."""
