"""What `pisces -p` writes: an answer, one JSON object, or an event a line."""
