"""MCP servers: how one is reached, started, asked and ended. The SDK is loaded with the first use."""
