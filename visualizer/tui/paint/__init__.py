"""What the screens look like, as pure functions from a run to lines of text.

A painter takes a ``View`` and a size and gives lines; nothing here knows Textual, so a
screen can be tested as text. Every painter costs what its window shows, never the run.
"""
