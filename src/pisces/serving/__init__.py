"""Everything that a host has, served to any MCP client."""
