"""A run as values that never change: its steps, what each was about, its limits."""
