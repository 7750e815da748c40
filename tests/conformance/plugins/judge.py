"""One plugin: converted, loaded by the real programs, judged. Nothing of it is run."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from pisces.converting.fate import Fate
from tests.conformance.plugins.claude_view import ClaudeView
from tests.conformance.plugins.codex_judging import judge_codex
from tests.conformance.plugins.conversion import Conversion, conversion
from tests.conformance.plugins.gemini_view import gemini_view
from tests.conformance.plugins.hook_judging import judge_hooks
from tests.conformance.plugins.install_judging import judge_install
from tests.conformance.plugins.item_judging import judge_agents, judge_reading, judge_texts
from tests.conformance.plugins.judgement import Judgement
from tests.conformance.plugins.losses import judge_losses
from tests.conformance.plugins.service_judging import judge_services


def plugins_in(folder: Path) -> list[Path]:
    """Every folder in it that is a plugin, and the plugins below one that is a marketplace."""
    found = []
    for each in sorted(path for path in folder.iterdir() if path.is_dir()):
        manifests = each.glob("**/.claude-plugin/plugin.json")
        roots = (
            [each] if (each / ".claude-plugin" / "plugin.json").is_file() else [path.parents[1] for path in manifests]
        )
        found += sorted(roots) or [each]
    return found


def judged(plugin: Path, scratch: Path, name: str, ask: Callable[[Path, Path], ClaudeView | None]) -> Judgement:
    """What Claude Code itself rejects whole is converted too, and only asked to be reported.

    `ask` says what it loads; without an answer our own reader is believed.
    """
    judgement = Judgement(name)
    (scratch / "claude").mkdir(parents=True)
    claude = ask(plugin, scratch / "claude")
    made = conversion(plugin, "gemini", scratch / "out")
    judgement.count("converted", "plugins", good=not made.aborted, fault=made.aborted)
    judgement.never("second run changes", made.second_run)
    if made.converted is not None:
        _judge_result(plugin, claude, made, scratch, judgement)
        judge_hooks(plugin, claude, scratch, judgement)
        judge_codex(plugin, scratch, judgement)
        judge_install(plugin, made.converted.plugin.name, scratch, judgement)
    return judgement


def _judge_result(
    plugin: Path, claude: ClaudeView | None, made: Conversion, scratch: Path, judgement: Judgement
) -> None:
    assert made.converted
    neutral, fates = made.converted.plugin, made.converted.fates
    gemini = gemini_view(made.out, scratch)
    if claude is not None and claude.is_rejected:
        reported = any(_says_rejected(each) for each in fates)
        judgement.never("faults of reading", [] if reported else [f"Claude rejects the plugin: {claude.errors}"])
    else:
        judge_reading(neutral, claude, judgement)
    judge_agents(neutral, fates, gemini, judgement)
    judge_texts(neutral, fates, gemini, made.out, judgement)
    judge_services(plugin, fates, gemini, judgement)
    judge_losses(plugin, neutral, fates, made.out, judgement)


def _says_rejected(fate: Fate) -> bool:
    return fate.code in ("never-loaded", "source-refused")
