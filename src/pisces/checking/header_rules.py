"""Whether a harness loads a Markdown file as a skill or subagent: by its header, the fields and their lengths."""

from __future__ import annotations

from pisces.checking.subject import Subject

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.checking.acceptance import CheckedPart


def header_flaw(
    part: CheckedPart,
    subject: Subject,
    *,
    needs: tuple[str, ...],
    lenient: bool = False,
    limits: tuple[int, int] = (0, 0),
) -> str:
    """Why a harness rejects the file, or nothing. `limits`: the longest name and description; 0 means no limit."""
    file = subject.pages.markdown(part.path)
    if file is None:
        return "the file cannot be read"
    if file.header is None:
        return "the file does not start with a `---` header"
    if file.warning and not lenient:
        return "the header is not valid YAML"
    missing = [field for field in needs if not file.text(field)]
    if missing:
        return f"the header has no {' and '.join(f'`{field}`' for field in missing)}"
    for field, longest in zip(("name", "description"), limits, strict=True):
        if longest and len(file.text(field)) > longest:
            return f"`{field}` has more than {longest} characters"
    return ""
