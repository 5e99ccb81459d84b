"""What loops do at the cap, as a table."""
