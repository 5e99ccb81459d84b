"""Recordings of the Codex client: its rollouts on disk, and what it prints."""
