"""Gemini CLI's own store, `~/.gemini/extensions`, in its own layout: both programs manage the same extensions."""
