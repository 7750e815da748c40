"""Tools that are taken away while the package is on."""

from __future__ import annotations

from pisces.packages.template import Template

_GUIDE = """
While this extension is on, the model has no `web_fetch` and no `google_web_search`. Only whole tools can be taken away,
by their exact names: `run_shell_command(curl)` would have no effect. To stop single shell commands, use a policy
(`pisces extensions new ... policies`).

Try it: `pisces check .`, then `gemini extensions link .` and `/tools`
"""

TEMPLATE = Template(
    "exclude-tools",
    "Takes the web tools away, for work that must stay offline",
    _GUIDE,
    {},
    {"excludeTools": ["web_fetch", "google_web_search"]},
)
