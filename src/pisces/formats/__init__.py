"""Text in, values out: JSON, TOML, YAML, frontmatter, positions and variables."""
