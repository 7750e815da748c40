"""Follows the user's words through a shell line: into commands, variables, functions, pipes and nested scripts.

The order of commands does not count: what a variable holds anywhere, it holds everywhere. That errs on the safe side.
The walk is repeated until no variable gains anything.
"""

from __future__ import annotations

import re

from pisces.commands.lines.needs import DIGITS, NEVER, ORDINARY, PHRASE, no_part_of
from pisces.formats.shell.arguments import CLEAN, OWN_PATH, UNKNOWN, WORLD, Argument, CommandCall, file_stem
from pisces.formats.shell.script_reader import ScriptReader
from pisces.formats.shell.syntax import (
    COMMAND_OUTPUT,
    DOUBLE,
    HOLE,
    PLAIN,
    RAW,
    SINGLE,
    WRITES_TO,
    Arithmetic,
    Calculation,
    Case,
    Compound,
    Condition,
    Function,
    Hole,
    Literal,
    Loop,
    ShellWord,
    Simple,
    Substitution,
    UnreadableLine,
    Variable,
)
from pisces.processes.blocked_env import is_blocked_in_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pisces.commands.lines.flow_state import FlowState
    from pisces.commands.lines.needs import Need
    from pisces.formats.shell.arguments import Taint
    from pisces.formats.shell.syntax import Assignment, Node, Part, Redirect, Script

DESCRIPTORS = ("/dev/stdin", "/dev/fd/", "/proc/")
_ROUNDS = 12
_RUNS_LATER = re.compile(
    r"(?:^|/)\.(?:bash\w*|zsh\w*|profile|z?login|kshrc|gitconfig|npmrc|vimrc|inputrc|netrc|envrc|exrc|psqlrc"
    r"|sqliterc|curlrc|wgetrc|gdbinit|lldbinit|pythonrc|irbrc|Rprofile|screenrc|tmux\.conf)$|\.git/(?:hooks/|config)"
    r"|\.ssh/|cron|/etc/|\.config/|LaunchAgents|\.desktop$|\.service$"
)
_CALLED_BY_BASH = ("command_not_found_handle", "command_not_found_handler")
_SHOW_VARIABLES = frozenset("env printenv set declare typeset export readonly envsubst compgen".split())
_OF_THE_LINE = re.compile(r"\$\{?(?:_\b|BASH_)")
_POSITIONAL = re.compile(r"\d+|[@*]", re.ASCII)
_ALWAYS = re.compile(r"_|BASH_\w+|HISTCMD", re.ASCII)  # hold words of the line itself
_IDENTIFIER = re.compile(r"[A-Za-z_]\w*", re.ASCII)
_CALCULATES = frozenset("-eq -ne -lt -le -gt -ge".split())
_READS_NAME = frozenset(("-v", "-R"))
_HERE = ("<<", "<<-")
_PATTERN = re.compile(r"[*?]|\[.+\]")
_SAY_ONLY_THEIR_WORDS = frozenset("echo printf true false : test [ basename dirname seq expr sleep date read".split())


class Flow:
    """One script of the line. `sources` says for each of its holes whose words stand there."""

    def __init__(self, reader: ScriptReader, sources: Sequence[Taint], state: FlowState, *, nested: bool) -> None:
        self.state = state
        self.nested = nested
        self.depth = 0
        self.is_bare = False  # the user's words are all there is
        self._reader = reader
        self._sources = sources
        self._sinks: list[Script] = []
        self._stdin: Taint = CLEAN

    def follow(self, script: Script, stdin: Taint = CLEAN) -> None:
        """Adds to the state what each hole needs."""
        for hole in self._reader.comments:
            self.state.need(self._sources[hole], PHRASE)
        self.is_bare = _is_bare(script)
        for _ in range(_ROUNDS):
            before = self.state.snapshot()
            self.script(script, stdin)
            if self.state.snapshot() == before:
                return
        raise UnreadableLine("words that go in circles")

    def need(self, taint: Taint, *needs: Need) -> None:
        self.state.need(taint, *needs)

    # Scripts and commands: what comes back is whose words may be in the output

    def script(self, script: Script, stdin: Taint) -> Taint:
        before, self._stdin = self._stdin, stdin
        out = CLEAN.union(*(self._pipeline(each, stdin) for each in script.pipelines))
        self._stdin = before
        return out

    def _pipeline(self, nodes: Sequence[Node], stdin: Taint) -> Taint:
        before = self._stdin
        for node in nodes:
            self._stdin = stdin
            stdin = self._node(node, stdin)
        self._stdin = before
        return stdin

    def _node(self, node: Node, stdin: Taint) -> Taint:
        if isinstance(node, Simple):
            return self._simple(node, stdin)
        if isinstance(node, Function):
            if node.name in _CALLED_BY_BASH:
                raise UnreadableLine("a function that the shell itself calls")
            given = self.state.functions.setdefault(node.name, CLEAN)
            self._node(node.body, given)
            return CLEAN
        before = self._sinks
        self._sinks = []
        stdin = self._input(node.redirects, stdin)
        out = self._compound(node, stdin)
        self._written(node.redirects, out)
        self._sinks = before
        return out

    def _compound(self, node: Compound | Loop | Case | Condition | Calculation, stdin: Taint) -> Taint:
        if isinstance(node, Compound):
            return CLEAN.union(*(self.script(each, stdin) for each in node.scripts))
        if isinstance(node, Loop):
            words = None if node.words is None else [self.argument(each) for each in node.words]
            held = self.state.positional if words is None else CLEAN.union(*(each.held for each in words))
            self.state.hold(node.name, held)
            return self.script(node.body, stdin)
        if isinstance(node, Case):
            subject = self.argument(node.subject)
            if any(isinstance(part, Hole) and part.context == PLAIN for part in node.subject.parts):
                self.need(subject.taint, PHRASE)
            for each in node.patterns:
                self.argument(each)
            return CLEAN.union(*(self.script(each, stdin) for each in node.bodies))
        if isinstance(node, Condition):
            self._condition([self.argument(each) for each in node.words])
            return CLEAN
        self.calculate(node.expression.parts)
        return self.script(node.body, stdin) if node.body else CLEAN

    def _condition(self, words: Sequence[Argument]) -> None:
        """bash takes the operands of `-eq` for arithmetic, quoted or not."""
        for number, word in enumerate(words):
            around = (*words[max(number - 1, 0) : number], *words[number + 1 : number + 2])
            if word.text in _CALCULATES:
                for each in around:
                    self.calculate_text(each)
            if word.text in _READS_NAME:
                self.name_given(*words[number + 1 : number + 2])

    def _simple(self, node: Simple, stdin: Taint) -> Taint:
        before, self._sinks = self._sinks, []
        stdin = self._input(node.redirects, stdin)
        held = [self._assign(each) for each in node.assignments]
        arguments = tuple(self._listed(each) for each in node.words)
        call = CommandCall(arguments, stdin.union(*map(self.held_by, arguments[1:])))
        if call.arguments:
            if call.arguments[0].text in ("declare", "typeset", "local") and _has_flag(call, "i"):
                self.state.integers.update(each.name for each in node.assignments)
            self.state.judge(self, call)
        out = call.taint.union(*held, *(each.held for each in arguments))
        out |= WORLD if call.arguments and call.arguments[0].text not in _SAY_ONLY_THEIR_WORDS else CLEAN
        if call.arguments and call.arguments[0].text in _SHOW_VARIABLES:
            out |= self.state.held
        is_for_all = len(arguments) == 1 and arguments[0].text == "exec"  # what follows writes there as well
        self._written(node.redirects, CLEAN.union(*self._sources) if is_for_all else out)
        self._sinks = before
        return out

    def _listed(self, word: ShellWord) -> Argument:
        part = word.parts[0]
        is_list = len(word.parts) == 1 and isinstance(part, Hole) and part.context == PLAIN
        argument = self.argument(word)
        return argument.replace(is_list=True) if is_list else argument

    def _assign(self, assignment: Assignment) -> Taint:
        self.calculate(assignment.subscript)
        words = assignment.items if assignment.value is None else (assignment.value,)
        arguments = [self.argument(each) for each in words]
        for each in arguments:
            if assignment.value is None and each.text.startswith("["):
                self.need(each.taint, DIGITS)
            self.state.texts.setdefault(assignment.name, set()).add(each.text)
            if is_blocked_in_line(assignment.name):
                self.runs_file(each)
        taint = CLEAN.union(*(each.held for each in arguments))
        self.state.hold(assignment.name, taint)
        return taint

    # Redirections

    def _input(self, redirects: Iterable[Redirect], stdin: Taint) -> Taint:
        for each in redirects:
            if each.operator in _HERE:
                part = each.target.parts[0]
                assert isinstance(part, Literal)
                body = self.argument(self._reader.bodies[part.text], PHRASE)
                self._ends_no_document(body, self._reader.ends[part.text])
                stdin = body.taint
            elif each.operator == "<&":
                stdin |= self.state.descriptors
            elif each.operator in ("<", "<>", "<<<"):
                stdin = self._read(each, stdin)
            self.state.descriptors |= stdin
        return stdin

    def _read(self, redirect: Redirect, stdin: Taint) -> Taint:
        """Whose words are in a file: it may be one that the line has written, or stdin by another name."""
        target = self.argument(redirect.target)
        if redirect.operator == "<<<":
            return target.taint
        is_stdin = target.text.startswith(DESCRIPTORS)
        return target.taint | self.held_by(target) | (stdin | self.state.descriptors if is_stdin else CLEAN)

    def _ends_no_document(self, body: Argument, end: str) -> None:
        """Words that make a line of a here document its end would turn the text behind it into commands."""
        marks = list(body.marks)
        for line in body.text.split("\n"):
            pieces = line.strip("\t").split(HOLE)
            for mark in [marks.pop(0) for _ in pieces[1:]]:
                if all(piece in end for piece in pieces):
                    self.need(mark, no_part_of(end))

    def held_by(self, file: Argument) -> Taint:
        """Whose words the line itself has written into a file, or may have."""
        stem = file_stem(file)
        return CLEAN.union(*(taint for name, taint in self.state.written.items() if stem in ("", name)))

    def _written(self, redirects: Iterable[Redirect], out: Taint) -> None:
        for each in redirects:
            if each.operator in ("<&", ">&"):
                self.need(self.argument(each.target).taint, DIGITS)
            elif ">" in each.operator and each.operator != "<>":
                self.write(self.argument(each.target), out)
        for sink in self._sinks:
            self.script(sink, out)

    def write(self, target: Argument, out: Taint) -> None:
        if _RUNS_LATER.search(target.text):
            self.need(out, NEVER)
        if not target.text.startswith("/dev/"):
            texts = {text for each in self.state.texts.values() for text in each} if not file_stem(target) else set()
            for name in {file_stem(target), *(file_stem(Argument(text)) for text in texts)}:
                self.state.written[name] = self.state.written.get(name, CLEAN) | out

    # Words

    def argument(self, word: ShellWord, raw: Need = ORDINARY) -> Argument:
        text: list[str] = []
        marks: list[Taint] = []
        splits, is_file, is_found = word.braces, False, False
        for part in word.parts:
            if isinstance(part, Literal):
                text.append(part.text)
                is_found = is_found or (not part.quoted and _PATTERN.search(part.text) is not None)
                continue
            held = self._part(part, raw)
            is_found, taint = is_found or held >= WORLD, held - WORLD
            is_quoted = isinstance(part, Hole | Arithmetic) or part.quoted
            splits = splits or not is_quoted
            is_file = is_file or (isinstance(part, Substitution) and part.kind != COMMAND_OUTPUT)
            text.append(HOLE if taint else OWN_PATH if isinstance(part, Hole) else UNKNOWN)
            marks += [taint] if taint else []
        if word.braces and marks:
            self.need(CLEAN.union(*marks), NEVER)
        return Argument("".join(text), tuple(marks), splits, is_file=is_file, is_found=is_found)

    def _part(self, part: Part, raw: Need) -> Taint:
        if isinstance(part, Hole):
            return self._hole(part, raw)
        if isinstance(part, Variable):
            return self._variable(part)
        if isinstance(part, Arithmetic):
            self.calculate(part.parts)
            return CLEAN
        assert isinstance(part, Substitution)
        if part.kind == WRITES_TO:
            self._sinks.append(part.script)
            return CLEAN
        return self.script(part.script, self._stdin)

    def _hole(self, hole: Hole, raw: Need) -> Taint:
        taint = self._sources[hole.number]
        if not taint:
            self.need(self.state.own_paths if hole.context == RAW else CLEAN, ORDINARY)
        elif hole.context == RAW:
            self.need(taint, raw)
        elif self.nested:
            may_be_many = hole.context in (DOUBLE, SINGLE) or hole.number in self._reader.lists
            self.need(taint, PHRASE if may_be_many else ORDINARY)
        return taint

    def _variable(self, part: Variable) -> Taint:
        self.calculate(part.subscript)
        taint = self.state.variables.get(part.name, CLEAN)
        if _POSITIONAL.fullmatch(part.name):
            taint = self.state.positional
        elif _ALWAYS.fullmatch(part.name):
            taint = self.state.everything
        if part.operator == ":":
            self.calculate(part.inner)
            return taint
        inner = self.argument(ShellWord(part.inner)).taint
        if part.operator in ("=", ":="):
            self.state.hold(part.name, inner)
        if part.operator == "@P" or part.indirect:
            self.need(taint, NEVER)
            taint |= self.state.held if part.indirect else CLEAN
        return taint | inner

    # Places where the shell reads words once more

    def calculate(self, parts: Sequence[Part]) -> None:
        self.calculate_text(self.argument(ShellWord(tuple(parts))))

    def calculate_text(self, argument: Argument) -> None:
        """A variable's value is an expression as well, and so are those of the variables in it."""
        self.need(argument.taint, DIGITS)
        pending, seen = [argument.text], set[str]()
        while pending:
            for name in set(_IDENTIFIER.findall(pending.pop())) - seen:
                seen.add(name)
                self.need(self.state.variables.get(name, CLEAN), DIGITS)
                pending += self.state.texts.get(name, ())

    def name_given(self, *arguments: Argument) -> None:
        """Where a command takes the name of a variable, bash runs what stands in `a[$(...)]`."""
        for each in arguments:
            self.need(each.taint, NEVER)
            if "[" in each.text or "$" in each.text:
                self.need(self.state.held, NEVER)

    def runs(self, text: Argument, stdin: Taint = CLEAN) -> None:
        """A script within the line. What cannot be read takes no words at all."""
        if OWN_PATH in text.text:
            self.need(self.state.own_paths, ORDINARY)
        self.need(WORLD if text.is_found else CLEAN, NEVER)
        involved = text.taint.union(self.state.held, stdin, *self.state.written.values())
        if _OF_THE_LINE.search(text.text):
            involved |= self.state.everything
        if not involved:
            return
        self.depth += 1
        try:
            if self.depth > _ROUNDS:
                raise UnreadableLine("too many levels")
            reader = ScriptReader(text.text, range(len(text.marks)))
            script = reader.whole()
            inner = Flow(reader, text.marks, self.state, nested=True)
            inner.depth = self.depth
            inner.script(script, stdin)
            for hole in reader.comments:
                self.need(text.marks[hole], PHRASE)
        except UnreadableLine:
            self.need(involved, NEVER)
        finally:
            self.depth -= 1

    def runs_file(self, file: Argument, words: Taint = CLEAN) -> None:
        """A file that is run as a script: one that the line itself has filled with the user's words is code.

        `words` are its arguments. What the line fills with a script of its own is not read here.
        """
        self.need(self.held_by(file), NEVER)
        if file.text.startswith(DESCRIPTORS):
            self.need(self.state.descriptors, NEVER)
        if file.is_file:
            self.need(file.taint, NEVER)
        if file.is_file or file.text.startswith(DESCRIPTORS) or file_stem(file) in self.state.written:
            self.runs_unseen(words)

    def runs_unseen(self, words: Taint) -> None:
        """A script that nobody reads here gets words, and whatever variables hold: it may run them."""
        self.need(words | self.state.held, ORDINARY)

    def code_names(self, text: str) -> Taint:
        """Whose words are in files that a program names: `import x`, `require("./x")`, `.read x.sql`."""
        names = set(_IDENTIFIER.findall(text))
        return CLEAN.union(*(taint for name, taint in self.state.written.items() if name in names))


def _is_bare(script: Script) -> bool:
    nodes = [node for pipeline in script.pipelines for node in pipeline]
    only = nodes[0] if len(nodes) == 1 else None
    if not isinstance(only, Simple) or only.assignments or only.redirects or len(only.words) != 1:
        return False
    return len(only.words[0].parts) == 1 and isinstance(only.words[0].parts[0], Hole)


def _has_flag(call: CommandCall, letter: str) -> bool:
    return any(each.text.startswith("-") and letter in each.text for each in call.arguments[1:])
