"""read(write(x)) says what x says, field by field, or the report has a fate for it: every reader and every writer."""

from __future__ import annotations

from pathlib import Path

import pytest

from pisces.converting.origin import ORIGIN
from pisces.converting.reading import read_plugin
from tests.converting.field_comparison import silent_losses
from tests.converting.generated_plugins import plugin_tree
from tests.converting.test_convert import places_of
from tests.converting.test_round_trip import FORMATS, SEEDS, converted, planted, tree_of

CLAUDE = {"claude": "claude-plugin"}


def silent(source: Path, target: str, out: Path, only: str) -> list[str]:
    made = converted(source, target, out, only)
    back = read_plugin(str(out), places_of(out.parent), {**FORMATS, **CLAUDE}[target]).plugin
    return silent_losses(made, back, {path: data for path, (data, _) in tree_of(out).items()})


@pytest.mark.parametrize("target", FORMATS)
@pytest.mark.parametrize("seed", SEEDS)
def test_every_field_of_a_plugin_is_in_the_output_or_in_the_report(seed: int, target: str, tmp_path: Path) -> None:
    source = planted(tmp_path / "source", plugin_tree(seed))
    assert silent(source, target, tmp_path / "out", "claude-plugin") == []


@pytest.mark.parametrize("target", [*FORMATS, *CLAUDE])
@pytest.mark.parametrize("between", FORMATS)
def test_every_field_of_other_formats_is_in_the_output_or_in_the_report(
    between: str, target: str, tmp_path: Path
) -> None:
    """Without the record of the first conversion, a package of that format like any other."""
    for seed in SEEDS:
        source, middle = planted(tmp_path / f"source{seed}", plugin_tree(seed)), tmp_path / f"middle{seed}"
        converted(source, between, middle)
        (middle / ORIGIN).unlink()
        assert silent(middle, target, tmp_path / f"out{seed}", FORMATS[between]) == [], seed
