"""Many scenarios and recordings: by group, in a folder, where clients keep them."""
