"""The editor's side: a small MCP server over HTTP that sends the open files and shows diffs."""
