"""Gemini CLI's own store, `~/.gemini/extensions`: written as it writes it, so that both manage the same extensions."""
