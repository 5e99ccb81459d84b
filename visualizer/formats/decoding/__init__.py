"""From the bytes of a file to JSON objects, requests and replies, whatever they were kept in."""
