"""The run as an SDK would stream it."""
