"""One file a screen. Each paints one pane and acts on the action table."""
