"""From what happened, in order, to runs: what readers of all formats share."""
