"""The home screen: lessons as a course, then scenarios."""
