"""The terminal program: append-only on the main screen. What has left the live area is never written again."""
