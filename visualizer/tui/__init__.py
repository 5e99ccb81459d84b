"""The screens: the only part of the package that imports Textual (and ``paint`` does not)."""
