"""The place of a field in a Markdown header, without parsing the YAML again where possible."""

from __future__ import annotations

from pisces.discovery.markdown_file import MarkdownFile


def header_place(file: MarkdownFile, field: str) -> tuple[int, int]:
    """Nearly every field begins a line, and occurs once; only other fields need the parser."""
    header = file.header
    if header is None:
        return 1, 1
    text = "\n" + header.header
    at = text.find(f"\n{field}:")
    if at < 0 or text.find(f"\n{field}:", at + 1) >= 0:
        return file.place(field)
    return text.count("\n", 0, at) + header.first_line, 1
