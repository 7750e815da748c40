"""The whole page: a head that forbids every request, then its sections, the summary first and the details last.

Nothing in it is a script. Folding is the browser's own, and filtering is two groups of radio buttons that the style
reads. A new section is a file beside this one and a line in `_SECTIONS`.
"""

from __future__ import annotations

import base64
import hashlib
import os

from pisces import __version__
from pisces.by_name import text_in
from pisces.ui.report.acts import acts
from pisces.ui.report.escape import plain, text
from pisces.ui.report.filters import filter_rules, filters
from pisces.ui.report.items import items
from pisces.ui.report.picture import picture
from pisces.ui.report.places_text import folder
from pisces.ui.report.problems import problems
from pisces.ui.report.programs import programs
from pisces.ui.report.summary import figures, matrix, verdict

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.ui.report.survey import Survey

# What makes a file one of ours, so that it may be overwritten.
MARK = '<meta name="generator" content="pisces report'

_SECTIONS = (
    ("matrix", "Who loads what", matrix),
    ("acts", "What runs by itself", acts),
    ("problems", "Problems", problems),
    ("shadows", "What shadows what", picture),
    ("items", "Everything found", lambda survey: filters(survey.columns) + items(survey)),
    ("programs", "The programs", programs),
)
_FOOT = (
    '<footer class="quiet"><p>Values of variables, headers and settings are not shown, nor is what looks like a key. '
    "Characters that cannot be seen are shown by their numbers, such as <i>\\u200b</i>.</p></footer>"
)


def page(survey: Survey, made: str) -> str:
    """`made` says when."""
    style = text_in("pisces.ui.report", "style.css") + filter_rules(survey.columns)
    sections = "\n".join(
        f'<section aria-labelledby="{each}"><h2 id="{each}">{title}</h2>{body(survey)}</section>'
        for each, title, body in _SECTIONS
    )
    return (
        f"{_head(style, survey)}<body>\n{_top(survey, made)}\n{_links()}\n<main>\n{sections}\n</main>\n"
        f"{_FOOT}\n</body>\n</html>\n"
    )


def _head(style: str, survey: Survey) -> str:
    """The policy names the one style that it lets in by its hash, so that no other works, nor anything else."""
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n{MARK} {__version__}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n<meta name="referrer" content="no-referrer">\n'
        f"<title>pisces report: {plain(os.path.basename(survey.places.cwd))}</title>\n<style>{style}</style>\n</head>\n"
    )


def _top(survey: Survey, made: str) -> str:
    return (
        f'<header><p class="quiet">pisces report</p><h1>What loads in {folder(survey.places)}</h1>'
        f'<p class="quiet">{text(made)} · pisces {text(__version__)} · nothing was run to find this out</p>'
        f"{verdict(survey)}{figures(survey)}</header>"
    )


def _links() -> str:
    links = "".join(f'<li><a href="#{each}">{title}</a></li>' for each, title, _ in _SECTIONS)
    return f'<nav aria-label="Sections"><ul>{links}</ul></nav>'
