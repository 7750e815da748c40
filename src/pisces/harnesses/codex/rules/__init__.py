"""The approval rules of Codex: files in Starlark, read without running anything of theirs."""
