"""Commands as TOML files, with every placeholder in Gemini CLI's spelling.

Nothing is filled in there but arguments, command lines and files, and nothing can be escaped. So the text of a command
that names a place in the package, or that has such a placeholder as text, is in a skill, and the command starts it. Not
that of a command which the model may not start: it names the place where extensions are installed.
"""

from __future__ import annotations

from pisces.converting.fate import APPROXIMATED, CHANGED_MEANING, lost, mapped
from pisces.converting.plugin import PluginSkill
from pisces.converting.writer import OutputFile, Written
from pisces.formats.toml_text import toml_text
from pisces.formats.yaml_text import markdown_text
from pisces.harnesses.gemini.writing.descriptions import described, left_out, renamed
from pisces.harnesses.gemini.writing.names import LABEL, has_prefix, is_left_out, key_of, typed_items
from pisces.harnesses.gemini.writing.plan import COMMANDS, SKILLS
from pisces.harnesses.gemini.writing.shell_lines import ARGS
from pisces.harnesses.gemini.writing.skills import FILE, field_fates, helper_sentence
from pisces.harnesses.gemini.writing.spelling import filled_in, installed
from pisces.harnesses.gemini.writing.texts import (
    CommandText,
    InstructionText,
    has_trigger,
    needs_root,
    without_triggers,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from pisces.converting.fate import Fate
    from pisces.converting.plugin import PluginCommand
    from pisces.converting.prompt_text import PromptText
    from pisces.harnesses.gemini.writing.plan import ExtensionPlan

    Typed = PluginCommand | PluginSkill

SHOWN = 100  # characters of a description
_WHO = ("disable-model-invocation", "arguments")
_HINTS = ("argument-hint", "argument_hint", "argumentHint")  # they stand behind the description
_HANDLED = ("description", *_HINTS, *_WHO)


def written_commands(plan: ExtensionPlan) -> Written:
    plugin, options = plan.plugin, plan.options
    files: list[OutputFile] = []
    fates: list[Fate] = []
    for command in plugin.commands:
        if is_left_out(command, options):
            fates.append(left_out(command))
    for item in typed_items(plugin):
        if not is_left_out(item, options):
            made, more = _written(item, plan)
            files += made
            fates += more
    return Written(tuple(files), tuple(fates))


def _written(item: Typed, plan: ExtensionPlan) -> tuple[list[OutputFile], list[Fate]]:
    path = f"{COMMANDS}/{plan.names.commands[key_of(item)]}.toml"
    prompt = plan.references.in_prompt(item.prompt)
    description = _description(item, plan)
    prefix = f"{plan.names.extension}:" if has_prefix(plan.plugin, plan.options) else ""
    fates = [mapped(item, path), *renamed(item, prefix + item.name, plan.names.typed(item))]
    # The name of a command is that of its file: in the header it never counted.
    handled = (*_HANDLED, "name") if isinstance(item, PluginSkill) else _HANDLED
    fates += [*field_fates(item, plan, handled), *_cut(item, description)]
    fates += [mapped(item, path, key) for key in (*_WHO, *_HINTS) if key in item.fields]
    if _is_for_users(item) or plan.options.root or not (needs_root(prompt.parts) or has_trigger(prompt.parts)):
        text, more = _direct(item, prompt, plan)
        return [_toml(path, description, text)], [*fates, *more]
    skill = plan.names.launched[key_of(item)]
    file, more = _launched(item, skill, plan)
    text = f"Load the skill `{skill}` with the tool `activate_skill` and follow it.\n\nThe user typed: {ARGS}\n"
    return [_toml(path, description, text), file], [*fates, *more]


def _is_for_users(item: Typed) -> bool:
    return isinstance(item, PluginSkill) or bool(item.fields.get("disable-model-invocation"))


def _direct(item: Typed, prompt: PromptText, plan: ExtensionPlan) -> tuple[str, list[Fate]]:
    own_folder = plan.skill_folder(item) if isinstance(item, PluginSkill) else ""
    spelling = installed(plan)
    plain = without_triggers(item.prompt)
    writer = CommandText(item.replace(prompt=plain), plan, spelling, own_folder)
    text = helper_sentence(item, plan) + writer.text()
    fates = writer.fates
    if plain != item.prompt:
        why = f"{LABEL} has no way to escape `@{{`, `!{{` or `{ARGS}`: a blank stands between"
        fates.append(lost(APPROXIMATED, CHANGED_MEANING, item, why, field="prompt"))
    if isinstance(item, PluginSkill) and item.files:
        text = f"Files that this text names are in `{spelling.place(own_folder)}`.\n\n{text}"
    if not plan.options.root and (needs_root(prompt.parts) or (isinstance(item, PluginSkill) and item.files)):
        why = f"{LABEL} fills in no folder in a command: it names `{spelling.root}`, where it is after an installation"
        fates.append(lost(APPROXIMATED, CHANGED_MEANING, item, why, field="prompt"))
    return text, fates


def _launched(item: Typed, name: str, plan: ExtensionPlan) -> tuple[OutputFile, list[Fate]]:
    writer = InstructionText(item, plan, filled_in(plan))
    body = helper_sentence(item, plan) + writer.text()
    about = f"The text of the command /{plan.names.typed(item)}: {plan.references.in_prose(described(item))}"
    data = markdown_text({"name": name, "description": about}, body).encode("utf-8", "replace")
    why = f"{LABEL} fills in no folder in a command: its text is in the skill `{name}`, which it starts"
    return OutputFile(f"{SKILLS}/{name}/{FILE}", data), [
        lost(APPROXIMATED, CHANGED_MEANING, item, why, field="prompt"),
        *writer.fates,
    ]


def _toml(path: str, description: str, prompt: str) -> OutputFile:
    return OutputFile(path, toml_text({"description": description, "prompt": prompt}).encode("utf-8"))


def _description(item: Typed, plan: ExtensionPlan) -> str:
    text = " ".join(plan.references.in_prose(described(item)).split())
    return f"{text} (args: {item.argument_hint})" if item.argument_hint else text


def _cut(item: Typed, description: str) -> list[Fate]:
    if len(description) <= SHOWN:
        return []
    why = f"{LABEL} shows the first {SHOWN} characters of a description"
    return [lost(APPROXIMATED, CHANGED_MEANING, item, why, field="description")]
