"""The harnesses that were looked at: whether they are set up here, and how well we know what they load."""

from __future__ import annotations

from pisces.ui.report.blocks import table
from pisces.ui.report.escape import name, text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.ui.report.survey import Survey

_SET_UP = {True: "yes", False: "no, but this project has files for it", None: ""}


def programs(survey: Survey) -> str:
    rows = (
        f'<tr><th scope="row">{name(each.label)}</th><td>{_SET_UP[each.is_set_up]}</td>'
        f"<td>{text(each.verified)}</td></tr>"
        for each in survey.columns
    )
    return table("The programs", ("program", "set up here", "how we know"), rows)
