"""A host in agent frameworks, one file each: instructions, tools, and every tool call through the gates."""
