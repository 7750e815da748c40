"""A hook as Claude Code runs it: the call on stdin, and exit 2 with the reason on stderr to refuse it."""

import json
import sys

command = json.load(sys.stdin)["tool_input"]["command"]
if "rm -r" in command:
    print(f"`{command}` removes a folder", file=sys.stderr)
    sys.exit(2)
