"""What a reader can do with runs and lessons, without a screen: sessions, search, comparison …

Nothing in here needs Textual; the screens paint it and pass keys on to it.
"""
