"""Recordings of the Messages API, and of the Claude Code client: on disk and in its stream."""
