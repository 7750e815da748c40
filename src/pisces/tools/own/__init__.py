"""The tools of our own agent, one a file with `tool(bench)`, which is None where there is nothing to offer."""
