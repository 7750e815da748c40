"""The model hands over its answer as fields, not as prose: what it hands over is kept in the transcript.

pisces modules test structured_output.py --tool 'report={"summary": "all is well", "severity": "low"}'
"""

from typing import Annotated, Literal


def extension(pisces):
    @pisces.tool()
    def report(
        summary: Annotated[str, "one sentence"],
        severity: Literal["low", "medium", "high"],
        files: Annotated[list[str], "which files it is about"] = (),
    ):
        """Hands over the final report. Call it once, at the very end."""
        found = {"summary": summary, "severity": severity, "files": list(files)}
        pisces.append_entry("report", found)
        return {"content": [{"type": "text", "text": "the report was taken"}], "details": found}
