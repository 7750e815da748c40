"""A context file: what the model should know before every prompt."""

from __future__ import annotations

from pisces.packages.template import Template

_GUIDE = """
`GEMINI.md` is put before every prompt while the extension is on, so every line costs tokens each time. Keep what is
needed always, and move the rest into a skill. `@./docs/more.md` on a line of its own puts another file in its place.

Try it: `pisces check .`, then `gemini extensions link .` and `/memory show`
"""

_CONTEXT = """# House rules

These rules hold for every change, in every language.

## Before writing
* Read the code around the place first and follow its names, layout and way of handling errors.
* If a request can be understood in two ways that lead to different code, ask which is meant.

## While writing
* Change what was asked for and nothing else. Say what else you noticed at the end.
* No new dependency without asking. Prefer what the project already uses.
* An error message says what was expected, what was found, and what to do.

## Before saying that it is done
* Run the tests that cover the change. If there are none, say so.
* Name what was not checked.
"""

TEMPLATE = Template(
    "context",
    "House rules that the model reads before every prompt",
    _GUIDE,
    {"GEMINI.md": _CONTEXT},
    {"contextFileName": "GEMINI.md"},
)
