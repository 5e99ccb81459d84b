"""Nothing recorded is executed: hostile files, and a walk through all ways in that is watched."""
