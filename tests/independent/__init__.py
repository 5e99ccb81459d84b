"""Counts taken from the raw bytes of recordings, to prove the program's own against.

Nothing here imports a reader of the program, nor reads what it prints: bytes become plain
values with ``json``, ``yaml`` and ``zipfile``, and each format has one small module that says
what counts in it, and why. What a format does not say is None, "don't know": never a guess.
"""
