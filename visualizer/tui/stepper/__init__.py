"""Stepping through a run: the screen, and the parts that it is made of, each with its commands."""
