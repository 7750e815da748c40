"""Reads the events of a session and shows them: finished blocks are printed once, the rest is in the live area."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pisces.formats.visible import visible
from pisces.models.wire import TextDelta, ThinkingDelta
from pisces.processes.clean import Cleaner, cleaned
from pisces.session.readers import END_NOTICE, ERROR_NOTICE
from pisces.shapes.events.agent import MessageEnd, MessageStart, MessageUpdate, QueueUpdate, TurnEnd
from pisces.shapes.events.provider import AutoRetryStart
from pisces.shapes.events.session import Interrupted
from pisces.shapes.events.surroundings import CommandUpdate, ModuleFailed, Notification
from pisces.shapes.events.tools import ToolExecutionEnd, ToolExecutionStart, ToolExecutionUpdate, ToolResult
from pisces.shapes.message import BY_MODEL, TextPart
from pisces.ui.module_failures import ModuleFailures
from pisces.ui.partial_text import partial_text
from pisces.ui.plain import place_text, shortened
from pisces.ui.terminal.blocks import Blocks
from pisces.ui.terminal.live import RunningTool
from pisces.ui.terminal.tool_text import call_title, full_lines, result_lines, running_lines
from pisces.ui.width import folded

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pisces.diagnostics import Diagnostic
    from pisces.places import Places
    from pisces.shapes.event import Event
    from pisces.shapes.message import ChatMessage
    from pisces.ui.terminal.blocks import Block
    from pisces.ui.terminal.live import Live
    from pisces.ui.terminal.panel import TerminalScreen

_MOST_FOREIGN_LINES = 10
_MOST_LIVE_OUTPUT = 4000  # characters
_SHOWN_AGAIN = 4  # messages of a conversation that is resumed


class Conversation:
    """`render` makes lines of a block. `read` is a reader of the session: it must not raise."""

    def __init__(self, screen: TerminalScreen, live: Live, render: Callable[[Block, int], Sequence[str]]) -> None:
        self._screen, self.live, self._render = screen, live, render
        self._blocks, self._cleaner = Blocks(), Cleaner()
        self._said: list[str] = []
        self._thought: list[str] = []
        self._last_tool: ToolResult | None = None
        self._expected = 0  # messages of the user that are on the screen already
        self._shows_thinking = False
        self._steered: set[str] = set()
        self._is_first = True
        self._is_stopped = False
        self._failures = ModuleFailures()
        self.after_step: Callable[[], object] = tuple
        self.wants_end: Callable[[], object] = tuple  # a module has asked for it

    def read(self, event: Event) -> None:
        if isinstance(event, MessageUpdate):
            self._grow(event)
        elif isinstance(event, MessageStart):
            self._begin(event.message)
        elif isinstance(event, MessageEnd):
            self._end(event.message)
        elif isinstance(event, ToolExecutionStart):
            self.live.tools[event.call_id] = RunningTool(call_title(event.tool, event.args))
        elif isinstance(event, ToolExecutionUpdate):
            self._update(event)
        elif isinstance(event, CommandUpdate):
            self._grow_output(event)
        elif isinstance(event, ToolExecutionEnd):
            self.live.tools.pop(event.call_id, None)
        elif isinstance(event, ToolResult):
            self._result(event)
        elif isinstance(event, AutoRetryStart):
            self._retry(event)
        elif isinstance(event, Interrupted):
            self.stopped()
        elif isinstance(event, Notification):
            self._notice(event)
        elif isinstance(event, ModuleFailed):
            self._failed(event)
        elif isinstance(event, QueueUpdate):
            self.live.steered = tuple(event.steered)
        elif isinstance(event, TurnEnd):
            self.after_step()
        else:
            return
        self._screen.redraw()

    def _failed(self, event: ModuleFailed) -> None:
        words = self._failures.words(event)
        if words:
            self.note(words, "warn")

    def _notice(self, event: Notification) -> None:
        text = "\n".join(filter(None, (event.title, event.message)))
        if event.kind == ERROR_NOTICE:
            self.problem(text)
        elif event.kind == END_NOTICE:
            self.note(text)
            self.wants_end()
        else:
            self.note(text, "warn")

    def typed(self, text: str) -> None:
        """A line of the user goes to the agent."""
        self.expect(text)
        self._print_typed(text)

    def steered(self, text: str) -> None:
        """A line waits for the next step of the agent: it is printed where the agent reads it."""
        self._steered.add(text)

    def _print_typed(self, text: str) -> None:
        paint = self._screen.palette.paint
        first, *rest = cleaned(text).split("\n")
        lines = [f"{paint('>', 'accent')} {paint(first, 'bold')}", *(f"  {paint(line, 'bold')}" for line in rest)]
        self._print(lines, gap=True)

    def expect(self, _text: str) -> None:
        """The same where the line is on the screen already."""
        self._expected += 1
        self._is_stopped = False

    def resumed(self, newest: Iterable[ChatMessage]) -> None:
        """The end of a conversation that goes on here. `newest` has it backwards, so that a long one is not read."""
        seen: list[ChatMessage] = []
        spoken: list[ChatMessage] = []
        for each in newest:
            seen.append(each)
            spoken += [each] if each.text.strip() else []
            if len(spoken) > _SHOWN_AGAIN:
                self.note("… earlier messages")
                break
        for each in spoken[:_SHOWN_AGAIN][::-1]:
            if each.role == BY_MODEL:
                blocks = Blocks()
                self._print_blocks([*blocks.feed(cleaned(each.text)), *blocks.end()])
            else:
                self._print_typed(each.text)
        if seen and (seen[0].role != BY_MODEL or seen[0].calls):
            self.note("the work on the last line was not finished", "warn")

    def settled(self) -> None:
        """The line has been worked on."""
        self._expected = 0
        self.live.tools.clear()
        self._flush()

    def stopped(self) -> None:
        """The user stopped it: what came so far stays. Said once a line."""
        self._flush()
        screen = self._screen
        for tool in self.live.tools.values():
            room = max(screen.width - len("  stopped"), 1)
            head, *output = running_lines(tool.title, tool.output, room, screen.palette)
            self._print([f"{head}  {screen.palette.paint('stopped', 'warn')}", *output], gap=True)
        self.live.tools.clear()
        if self._is_stopped:
            return
        self._is_stopped = True
        self.note("stopped. What should be done instead?", "warn")

    def note(self, text: str, meaning: str = "dim") -> None:
        """A line of the program itself."""
        paint = self._screen.palette.paint
        self._print([paint(row, meaning) for row in self._rows(text)], gap=False)

    def problem(self, message: str, hint: str = "") -> None:
        paint = self._screen.palette.paint
        first, *rest = self._rows(f"error: {message}", "  ")
        lines = [paint("error:", "bad") + first.removeprefix("error:"), *rest]
        self._print([*lines, *(paint(row, "dim") for row in self._rows(f"  hint: {hint}", "  ") if hint)], gap=False)

    def failure(self, problem: Diagnostic, places: Places) -> None:
        """With its place."""
        self.problem(place_text(problem, places) + shortened(problem.message, places), problem.hint)

    def _rows(self, text: str, indent: str = "") -> Iterator[str]:
        """Folded at blanks; what is too long for a row is left to the terminal."""
        start = ""
        for line in cleaned(text).split("\n"):
            yield from folded(start + line, self._screen.width, hang=len(indent))
            start = indent

    def output(self, text: str) -> None:
        """What a program wrote."""
        if text.strip("\n"):
            self._print(cleaned(text).strip("\n").split("\n"), gap=False)

    def show_last_tool(self) -> None:
        if self._last_tool is None:
            self.note("no tool has been called yet")
        else:
            self._print([*full_lines(self._last_tool, self._screen.palette)], gap=True)

    def toggle_thinking(self) -> None:
        self._shows_thinking = not self._shows_thinking
        self.note("thinking is shown" if self._shows_thinking else "thinking is folded")
        if self._shows_thinking and self._thought:
            self._print_thinking()

    def _begin(self, message: ChatMessage) -> None:
        if message.role != BY_MODEL:
            self._foreign(message)
        elif not message.parts:
            self._flush()
            self._blocks, self._cleaner, self._said, self._thought = Blocks(), Cleaner(), [], []
            self.live.block = None

    def _foreign(self, message: ChatMessage) -> None:
        """A message in the user's name: typed, or sent by a module. Results of tools are shown elsewhere."""
        text = "\n".join(part.text for part in message.parts if isinstance(part, TextPart))
        if not text.strip():
            return
        if text in self._steered:
            self._steered.discard(text)
            self._print_typed(text)
            return
        if self._expected:
            self._expected -= 1
            return
        lines = cleaned(text).strip("\n").split("\n")
        more = [f"  … {len(lines) - _MOST_FOREIGN_LINES} more lines"] if len(lines) > _MOST_FOREIGN_LINES else []
        paint = self._screen.palette.paint
        self._print([paint(f"> {line}", "dim") for line in (*lines[:_MOST_FOREIGN_LINES], *more)], gap=True)

    def _grow(self, event: MessageUpdate) -> None:
        delta = event.delta
        if isinstance(delta, ThinkingDelta):
            self._thought.append(delta.text)
            self.live.thinking = (self.live.thinking + delta.text)[-2000:]
        elif isinstance(delta, TextDelta):
            self._end_thinking()
            self._said.append(delta.text)
            self.live.block = self._open_block
            text = self._cleaner.clean(delta.text.encode("utf-8", "replace")).decode()
            self._print_blocks(self._blocks.feed(text))

    def _open_block(self) -> Block:
        return self._blocks.open_block

    def _end(self, message: ChatMessage) -> None:
        if message.role != BY_MODEL:
            return
        if not self._said and message.text:  # it came whole
            self._said = [message.text]
            self._print_blocks(self._blocks.feed(cleaned(message.text)))
        self._flush()

    def _flush(self) -> None:
        """Prints what is open."""
        self._end_thinking()
        rest = self._cleaner.end().decode()
        self.live.block = None
        self._print_blocks([*self._blocks.feed(rest), *self._blocks.end()])

    def _end_thinking(self) -> None:
        if self.live.thinking:
            self.live.thinking = ""
            self._print_thinking()

    def _print_thinking(self) -> None:
        text = cleaned("".join(self._thought)).strip()
        if not text:
            return
        paint = self._screen.palette.paint
        if self._shows_thinking:
            lines = [paint(line, "dim") for line in text.split("\n")]
        else:
            words = " ".join(text[:400].split())
            lines = [paint(visible(f"thought: {words[:100]}{'…' if len(text) > 100 else ''}"), "dim")]
        self._print(lines, gap=True)

    def _print_blocks(self, blocks: Sequence[Block]) -> None:
        for block in blocks:
            self._print([*self._render(block, self._screen.width)], gap=block.gap or self._is_first)
            self._is_first = False

    def _print(self, lines: Sequence[str], *, gap: bool) -> None:
        self._is_first = True  # an answer that follows is set apart
        self._screen.print("\n".join(("", *lines) if gap else lines))

    def _update(self, event: ToolExecutionUpdate) -> None:
        tool = self.live.tools.get(event.call_id)
        if tool is not None:
            self.live.tools[event.call_id] = tool.replace(output=partial_text(event.partial_result))

    def _grow_output(self, event: CommandUpdate) -> None:
        """The end of it, while the program runs; all of it is printed when it has ended."""
        title = f"/{visible(event.command)}"
        before = self.live.tools.get(title, RunningTool(title)).output
        self.live.tools[title] = RunningTool(title, (before + event.text)[-_MOST_LIVE_OUTPUT:])

    def _result(self, result: ToolResult) -> None:
        self.live.tools.pop(result.call_id, None)
        self._last_tool = result
        self._print([*result_lines(result, self._screen.palette)], gap=True)

    def _retry(self, event: AutoRetryStart) -> None:
        self._flush()
        when = f"in {event.delay:.0f} s" if event.delay >= 1 else "now"
        self.note(f"the model gave no answer ({event.error}); trying again {when}", "warn")
