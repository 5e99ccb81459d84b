"""Recordings in a folder, or those that clients keep."""
