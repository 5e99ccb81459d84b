"""Lessons and quizzes: a page at a time beside the live stepper."""
