"""Our own rules about tool calls, in `rules.toml`."""
