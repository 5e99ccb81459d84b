"""Lessons: short pages beside the live stepper, each with at most one thing to do.

``model`` holds what a lesson is, ``files`` reads one, ``prose`` its texts. ``questions`` and
``predict`` compute questions from a run, ``goals`` recognises experiments, ``proof`` checks
all of it, ``handout`` prints it. How to write a lesson: ``lessons/README.md``.
"""
