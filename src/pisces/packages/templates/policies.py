"""Policies: rules about what the agent may do. A package can only make them stricter."""

from __future__ import annotations

from pisces.packages.template import Template

_GUIDE = """
`policies/safety.toml` asks before anything leaves the machine, and refuses what cannot be taken back. Rules of an
extension may say `deny` and `ask_user`; `allow` is ignored. Of several rules that fit, the highest `priority`
(0 to 999) decides. `commandPrefix` compares the beginning of a shell command, word by word.

Try it: `pisces check .`, then `gemini extensions link .` and `/policies list`
"""

_SAFETY = """# What cannot be taken back is refused.
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git push --force", "git push -f", "git reset --hard"]
decision = "deny"
priority = 200
denyMessage = "This rewrites history or throws work away. Ask the user to do it."

# What leaves the machine is asked about, also where other commands are allowed.
[[rule]]
toolName = "run_shell_command"
commandPrefix = ["git push", "npm publish", "twine upload", "docker push"]
decision = "ask_user"
priority = 100

[[rule]]
toolName = "web_fetch"
decision = "ask_user"
priority = 100
"""

TEMPLATE = Template(
    "policies",
    "Asks before anything leaves the machine, and refuses what cannot be taken back",
    _GUIDE,
    {"policies/safety.toml": _SAFETY},
    {},
)
