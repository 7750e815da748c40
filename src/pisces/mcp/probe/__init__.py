"""Checks of a running MCP server, one rule each: what `pisces mcp test` asks."""
