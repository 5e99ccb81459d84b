"""A loop that takes its whole process down."""

import os


def loop(model, tools, messages):
    os._exit(7)
