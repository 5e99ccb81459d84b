"""The screens: the only part of the package that imports Textual, and painters do not."""
