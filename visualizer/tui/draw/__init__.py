"""What painters share: lines of segments with roles, the footer, and the widget that shows them."""
