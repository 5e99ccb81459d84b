"""The widgets: one, in fact, that turns painted lines into a terminal's strips."""
