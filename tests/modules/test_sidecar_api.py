"""The `pi` object and `ctx` in the sidecar: what modules register works here, and what they do arrives."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from pisces.shapes.events.agent import Input, TurnStart
from pisces.shapes.events.session import SessionTree
from tests.modules.js_session import JsSession, played, written

SCHEMA = "{ type: 'object', properties: { n: { type: 'number' } } }"


def module(tmp_path: Path, body: str, name: str = "module.ts") -> list[str]:
    return written(tmp_path, {name: f"export default (pi) => {{\n{body}\n}}"})


def commanded(tmp_path: Path, body: str, line: str = "go", **options: Any) -> tuple[Any, JsSession]:
    """What a command whose handler is this body returns, and the session that it left behind."""
    paths = module(tmp_path, f"pi.registerCommand('go', {{ handler: async (args, ctx) => {{ {body} }} }})")

    async def play(session: JsSession) -> tuple[Any, JsSession]:
        answer = await session.command(line)
        for _ in range(3):
            await asyncio.sleep(0)
        return answer, session

    answer, session = played(paths, play, **options)
    assert session.messages == []
    return answer, session


def test_a_tool_gets_its_call_and_tells_its_progress(tmp_path: Path) -> None:
    body = f"""pi.registerTool({{ name: 'add', label: 'Add', description: 'adds', parameters: {SCHEMA},
      promptSnippet: 'adds numbers', prepareArguments: (args) => ({{ n: args.n + 1 }}),
      async execute(id, params, signal, onUpdate, ctx) {{
        onUpdate({{ content: [{{ type: 'text', text: 'half' }}] }})
        return {{ content: [{{ type: 'text', text: `${{id}} ${{params.n}} ${{signal.aborted}} ${{ctx.cwd}}` }}],
          details: {{ n: params.n }} }}
      }} }})
    pi.on('tool_execution_update', (event, ctx) => ctx.ui.notify(event.partialResult.content[0].text))"""

    async def play(session: JsSession) -> None:
        tool = session.runner.tools["add"]
        assert (tool.label, tool.description, tool.hints["promptSnippet"]) == ("Add", "adds", "adds numbers")
        assert tool.parameters["properties"] == {"n": {"type": "number"}}
        result = await session.tool("add", n=1)
        assert (result.text, result.details) == (f"call-1 2 false {tmp_path}", {"n": 2})
        assert session.host.ui.notices == [("info", "half")]

    played(module(tmp_path, body), play)


def test_a_tool_that_throws_is_a_failed_result(tmp_path: Path) -> None:
    body = f"""pi.registerTool({{ name: 't', description: '', parameters: {SCHEMA},
      async execute() {{ throw new Error('no') }} }})"""

    async def play(session: JsSession) -> tuple[bool, str]:
        result = await session.tool("t")
        return result.is_error, result.text

    is_error, text = played(module(tmp_path, body), play)
    assert is_error
    assert "no" in text


def test_a_cancelled_tool_sees_its_signal(tmp_path: Path) -> None:
    body = f"""pi.registerTool({{ name: 't', description: '', parameters: {SCHEMA},
      execute: (id, params, signal, update, ctx) => new Promise(() => {{
        signal.addEventListener('abort', () => ctx.ui.notify('aborted')) }}) }})"""

    async def play(session: JsSession) -> None:
        call = asyncio.create_task(session.tool("t"))
        await session.until(lambda: "tool" in session.sidecar.busy_with)
        call.cancel()
        await session.until(lambda: session.host.ui.notices == [("info", "aborted")])

    played(module(tmp_path, body), play)


def test_a_tool_registered_later_is_there_at_once(tmp_path: Path) -> None:
    body = f"""pi.on('input', () => pi.registerTool({{ name: 'late', description: '', parameters: {SCHEMA},
      execute: async () => 'here' }}))"""

    async def play(session: JsSession) -> str:
        assert "late" not in session.runner.tools
        await session.emit(Input("x"))
        return (await session.tool("late")).text

    assert played(module(tmp_path, body), play) == "here"


def test_tools_draw_their_calls_and_results(tmp_path: Path) -> None:
    body = f"""pi.registerTool({{ name: 't', description: '', parameters: {SCHEMA}, execute: async () => 'x',
      renderCall: (args, theme, context) => ({{ render: (width) => [`${{args.n}} in ${{width}}`] }}),
      renderResult: (result, {{ expanded }}, theme, context) =>
        ({{ render: () => [result.content[0].text, String(expanded)] }}) }})"""

    async def play(session: JsSession) -> list[Any]:
        draw = {each.kind: each.draw for each in session.sidecar.loaded[0].renderers}
        result = {"content": [{"type": "text", "text": "done"}]}
        return [await draw["call"]({"n": 3}, 40), await draw["result"](result, 40, expanded=True)]

    assert played(module(tmp_path, body), play) == [["3 in 40"], ["done", "true"]]


def test_messages_are_drawn_by_their_type(tmp_path: Path) -> None:
    body = (
        "pi.registerMessageRenderer('note', (message, options, theme) => ({ render: () => ['* ' + message.content] }))"
    )

    async def play(session: JsSession) -> Any:
        (renderer,) = session.sidecar.loaded[0].renderers
        assert (renderer.kind, renderer.name) == ("message", "note")
        return await renderer.draw({"customType": "note", "content": "hi"}, 20)

    assert played(module(tmp_path, body), play) == ["* hi"]


def test_a_command_gets_its_arguments_and_completes_them(tmp_path: Path) -> None:
    body = """pi.registerCommand('deploy', { description: 'ships it', handler: async (args) => args.toUpperCase(),
      getArgumentCompletions: (prefix) =>
        ['dev', 'prod'].filter((each) => each.startsWith(prefix)).map((value) => ({ value, label: value })) })"""

    async def play(session: JsSession) -> None:
        command = session.runner.commands["deploy"]
        assert command.description == "ships it"
        assert command.completions is not None
        assert await command.completions("p") == [{"value": "prod", "label": "prod"}]
        assert await session.command("deploy now") == "NOW"

    played(module(tmp_path, body), play)


def test_flags_have_their_default_or_the_value_of_the_command_line(tmp_path: Path) -> None:
    body = """pi.registerFlag('plan', { description: 'plans', type: 'boolean', default: false })
    pi.registerFlag('level', { type: 'string', default: 'low' })
    pi.registerCommand('go', { handler: async () =>
      [pi.getFlag('plan'), pi.getFlag('level'), pi.getFlag('other') ?? null] })"""

    async def play(session: JsSession) -> Any:
        assert list(session.sidecar.loaded[0].flags) == ["plan", "level"]
        session.runner._wiring.flag_values["plan"] = True
        return await session.command("go")

    assert played(module(tmp_path, body), play) == [True, "low", None]


def test_a_shortcut_runs_its_handler(tmp_path: Path) -> None:
    body = "pi.registerShortcut('ctrl+X', { description: 'x', handler: (ctx) => ctx.ui.notify('pressed', 'warning') })"

    async def play(session: JsSession) -> list[tuple[str, str]]:
        await session.sidecar.loaded[0].shortcuts["ctrl+x"].run()
        return session.host.ui.notices

    assert played(module(tmp_path, body), play) == [("warning", "pressed")]


def test_questions_wait_for_the_user(tmp_path: Path) -> None:
    body = """return [await ctx.ui.confirm('Sure?', 'really'), await ctx.ui.select('Which', ['a', { label: 'b' }]),
      await ctx.ui.input('Name'), await ctx.ui.editor('Edit', 'x'), (await ctx.ui.input('Gone')) === undefined]"""
    answer, session = commanded(tmp_path, body, answers=[True, "b", "me", "text"])
    assert answer == [True, "b", "me", "text", True]
    assert [(each.kind, each.about) for each in session.host.ui.asked][:2] == [
        ("confirm", "really"),
        ("select", ("a", "b")),
    ]


def test_a_question_that_is_aborted_is_taken_back(tmp_path: Path) -> None:
    body = """const controller = new AbortController(); setTimeout(() => controller.abort(), 10)
      return [await ctx.ui.confirm('Sure?', '', { signal: controller.signal }),
        await ctx.ui.select('x', [], { signal: AbortSignal.abort() }) ?? null]"""

    async def never(*_: object) -> bool:
        await asyncio.Event().wait()
        return True

    paths = module(tmp_path, f"pi.registerCommand('go', {{ handler: async (args, ctx) => {{ {body} }} }})")

    async def play(session: JsSession) -> Any:
        session.host.ui.confirm = never  # type: ignore[method-assign,assignment]  # a user who never answers
        return await session.command("go")

    assert played(paths, play) == [False, None]


def test_the_screen_is_told_what_to_show(tmp_path: Path) -> None:
    body = """ctx.ui.setStatus('s', 'busy'); ctx.ui.setTitle('T'); ctx.ui.setWorkingMessage('w')
      ctx.ui.setEditorText('typed'); ctx.ui.setWidget('lines', ['one', 'two'])
      ctx.ui.setFooter((tui, theme, data) => ({ render: (width) => ['w' + width], invalidate() {} }))
      ctx.ui.setWidget('made', (tui, theme) => ({ render: () => [theme.bold('x')], invalidate() {} }))
      return ctx.ui.getEditorText()"""
    answer, session = commanded(tmp_path, body)
    ui = session.host.ui
    assert answer == "typed"
    assert (ui.statuses, ui.titles, ui.working_messages, ui.text) == ({"s": "busy"}, ["T"], ["w"], "typed")
    assert ui.widgets == {"lines": ("one", "two"), "footer": ("w80",), "made": ("\x1b[1mx\x1b[22m",)}


def test_a_component_is_drawn_and_gets_keys_until_it_is_done(tmp_path: Path) -> None:
    body = """return await ctx.ui.custom((tui, theme, keys, done) => { let typed = ''; return {
      render: (width) => [`${width}: ${typed}`], invalidate() {},
      handleInput(data) { if (data === '\\r') done({ typed }); else { typed += data; tui.requestRender() } } } })"""
    answer, session = commanded(tmp_path, body, answers=[["a", "b", "\r", "never"]])
    assert answer == {"typed": "ab"}
    assert session.host.ui.drawn == [("80: ",), ("80: a",), ("80: ab",), ()]


def test_a_component_that_the_user_leaves_answers_undefined(tmp_path: Path) -> None:
    body = "return (await ctx.ui.custom(() => ({ render: () => ['x'], invalidate() {} }))) === undefined"
    assert commanded(tmp_path, body)[0] is True


def test_a_component_that_is_done_at_once_is_never_shown(tmp_path: Path) -> None:
    answer, session = commanded(
        tmp_path, "return await ctx.ui.custom((t, th, k, done) => { done(5); return { render: () => [] } })"
    )
    assert answer == 5
    assert session.host.ui.drawn == []


def test_getters_answer_at_once_from_what_the_host_last_said(tmp_path: Path) -> None:
    body = """return [ctx.cwd, ctx.hasUI, ctx.isIdle(), ctx.model.id, ctx.getSystemPrompt(),
      ctx.getContextUsage().contextWindow, pi.getThinkingLevel(), ctx.sessionManager.getSessionId(), ctx.mode,
      ctx.isProjectTrusted(), pi.getAllTools().length]"""
    answer, _ = commanded(tmp_path, body)
    prompt = "You are a scripted session."
    assert answer == [str(tmp_path), True, True, "scripted-1", prompt, 100_000, "off", "scripted", "tui", True, 0]


def test_what_a_module_sets_it_reads_at_once_and_the_host_has_the_last_word(tmp_path: Path) -> None:
    body = """pi.on('input', () => { pi.setThinkingLevel('high'); pi.setSessionName('mine'); pi.setActiveTools(['a']);
        return { text: [pi.getThinkingLevel(), pi.getSessionName(), ...pi.getActiveTools()].join() } })
      pi.on('turn_start', (event, ctx) => ctx.ui.notify(pi.getThinkingLevel()))"""

    async def play(session: JsSession) -> None:
        assert (await session.emit(Input(""))).text == "high,mine,a"
        assert (session.host.thinking_level(), session.host.session.name) == ("high", "mine")
        session.host.set_thinking_level("low")
        await session.emit(TurnStart())
        assert session.host.ui.notices == [("info", "low")]

    played(module(tmp_path, body), play)


def test_entries_come_as_they_are_added(tmp_path: Path) -> None:
    body = """const branch = (ctx) => ctx.sessionManager.getBranch().map((each) => each.data ?? each.id)
    const seen = (ctx) => ctx.ui.notify(branch(ctx).join())
    pi.on('session_start', (event, ctx) => seen(ctx)); pi.on('session_tree', (event, ctx) => seen(ctx))
    pi.on('input', (event, ctx) => { pi.appendEntry('mine', event.text); seen(ctx) })"""
    entries = [{"id": "1", "type": "custom", "data": "one"}, {"id": "2", "type": "custom", "data": "two"}]

    async def play(session: JsSession) -> list[str]:
        await session.emit(Input("three"))
        await session.emit(Input("four"))
        session.host.session._entries.pop(1)
        await session.emit(SessionTree())
        return [text for _, text in session.host.ui.notices]

    shown = played(module(tmp_path, body), play, entries=entries)
    assert shown == ["one,two", "one,two,three", "one,two,three,four", "one,three,four"]


def test_the_entries_of_the_context_begin_with_the_last_compaction(tmp_path: Path) -> None:
    body = """pi.on('input', (event, ctx) => {
      return { text: ctx.sessionManager.buildContextEntries().map((each) => each.id).join() } })"""
    entries = [{"id": each, "type": "custom", "data": each} for each in ("1", "2", "3")]
    compaction = {"id": "c", "type": "compaction", "summary": "s", "firstKeptEntryId": "3"}

    async def play(session: JsSession) -> str:
        return (await session.emit(Input(""))).text

    assert played(module(tmp_path, body), play, entries=entries) == "1,2,3"
    later = {"id": "4", "type": "custom", "data": "4"}
    assert played(module(tmp_path, body), play, entries=[*entries, compaction, later]) == "c,3,4"


def test_actions_reach_the_host(tmp_path: Path) -> None:
    body = """const message = { customType: 'note', content: 'c', display: true }
      pi.sendMessage(message, { triggerTurn: true, deliverAs: 'steer' })
      pi.sendUserMessage('typed'); pi.setLabel('e1', 'here'); ctx.abort(); ctx.compact({ customInstructions: 'short' })
      const fork = await ctx.fork('e2'); await ctx.waitForIdle()
      await ctx.newSession({ withSession: async (c) => c.sendUserMessage('new') })
      return [fork, await pi.setModel({ id: 'other' }), ctx.model.id]"""
    answer, session = commanded(tmp_path, body)
    host = session.host
    assert answer == [{"cancelled": False}, True, "other"]
    (sent,) = host.sent
    assert (sent["customType"], sent["content"], sent["deliver_as"], sent["trigger_turn"]) == (
        "note",
        "c",
        "steer",
        True,
    )
    assert host.typed == ["typed", "new"]
    assert host.session.labels == {"e1": "here"}
    assert [name for name, _ in host.controls] == ["abort", "compact", "fork", "wait_for_idle", "new_session"]


def test_programs_are_executed_without_a_shell(tmp_path: Path) -> None:
    body = """const echo = await pi.exec('echo', ['$HOME', 'a b']); const gone = await pi.exec('no-such-program', [])
      const slow = await pi.exec('sleep', ['60'], { timeout: 20 }); return [echo, gone.code, slow.killed]"""
    answer, _ = commanded(tmp_path, body)
    assert answer == [{"stdout": "$HOME a b\n", "stderr": "", "code": 0, "killed": False}, 127, True]


def test_modules_talk_to_each_other_and_to_those_in_python(tmp_path: Path) -> None:
    paths = written(
        tmp_path,
        {
            "a.ts": "export default (pi) => pi.on('input', ({ text }) => { pi.events.emit('said', { text }) })",
            "b.ts": "export default (pi) => { let ctx; pi.on('session_start', (_, c) => { ctx = c })\n"
            "pi.events.on('said', (value) => ctx.ui.notify('b heard ' + value.text)) }",
        },
    )

    async def play(session: JsSession) -> tuple[list[Any], list[Any]]:
        heard: list[Any] = []
        bus = session.runner._wiring.bus
        bus.on("said", heard.append)
        await session.emit(Input("from js"))
        bus.emit("said", {"text": "from python"})
        await session.until(lambda: len(session.host.ui.notices) == 2)
        return heard, [text for _, text in session.host.ui.notices]

    heard, notices = played(paths, play)
    assert heard == [{"text": "from js"}, {"text": "from python"}]
    assert notices == ["b heard from js", "b heard from python"]


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("ctx.ui.setEditorComponent(() => {})", "ctx.ui.setEditorComponent"),
        ("ctx.ui.onTerminalInput(() => {})()", "ctx.ui.onTerminalInput"),
        ("ctx.ui.addAutocompleteProvider((x) => x)", "ctx.ui.addAutocompleteProvider"),
        ("pi.registerComposerShape({})", "pi.registerComposerShape"),
        ("await ctx.modelRegistry.authStorage.getApiKey('x')", "ctx.modelRegistry.authStorage"),
        ("await ctx.newSession({ setup: () => {} })", "ctx.newSession({ setup })"),
        ("ctx.ui.setTheme('dark')", "ctx.ui.setTheme"),
    ],
)
def test_what_cannot_work_says_so_by_name_once(tmp_path: Path, call: str, name: str) -> None:
    paths = module(
        tmp_path,
        f"pi.registerCommand('go', {{ handler: async (args, ctx) => {{ {call}; {call}; return 'went on' }} }})",
    )

    async def play(session: JsSession) -> None:
        assert await session.command("go") == "went on"
        (failure,) = session.failures
        assert failure.event == name
        assert f"`{name}`" in failure.message

    played(paths, play)


def test_writing_to_the_session_manager_is_an_error_that_names_the_method(tmp_path: Path) -> None:
    body = "try { ctx.sessionManager.appendMessage({}) } catch (error) { return error.message }"
    assert "sessionManager.appendMessage" in commanded(tmp_path, body)[0]


def test_an_answer_that_json_cannot_say_is_an_error_and_not_a_crash(tmp_path: Path) -> None:
    paths = module(tmp_path, "pi.registerCommand('go', { handler: async () => 10n })")

    async def play(session: JsSession) -> list[str]:
        await session.command("go")
        assert session.sidecar.generation == 1
        return session.messages

    (message,) = played(paths, play)
    assert "BigInt" in message


def test_a_provider_streams_and_its_functions_are_called(tmp_path: Path) -> None:
    body = """pi.registerProvider('mine', { baseUrl: 'http://x', models: [{ id: 'm' }],
      async *streamSimple(model, context) { yield { type: 'text', model: model.id }; yield { type: 'done' } },
      oauth: { name: 'Mine', getApiKey: (credentials) => credentials.access,
        login: async (ui) => ({ access: await ui.onPrompt({ message: 'Code?' }) }) } })"""

    async def play(session: JsSession) -> None:
        config = session.sidecar.loaded[0].providers["mine"].config
        assert config["models"] == [{"id": "m"}]
        events = [event async for event in config["streamSimple"]({"id": "m"}, {})]
        assert events == [{"type": "text", "model": "m"}, {"type": "done"}]
        assert await config["oauth"]["getApiKey"]({"access": "key"}) == "key"
        assert await config["oauth"]["login"]() == {"access": "code"}

    played(module(tmp_path, body), play, answers=["code"])


def test_a_label_of_one_text_is_the_extensions_own(tmp_path: Path) -> None:
    async def play(session: JsSession) -> str:
        return session.sidecar.loaded[0].label

    assert played(module(tmp_path, "pi.setLabel('My module')"), play) == "My module"


def test_omp_hands_out_a_schema_builder(tmp_path: Path) -> None:
    body = """const z = pi.zod
    const parameters = z.object({ name: z.string().min(1).describe('who'), level: z.enum(['a', 'b']).default('a'),
      tags: z.array(z.string().trim()).optional(), n: z.number().int().nullable() })
    const fits = (value) => parameters.safeParse(value).success
    pi.registerTool({ name: 't', description: '', parameters, execute: async (id, params) =>
      ({ content: [], details: [fits(params), fits({ name: 5, n: 1 })] }) })"""

    async def play(session: JsSession) -> None:
        assert session.runner.tools["t"].parameters == {
            "type": "object",
            "properties": {
                "name": {"type": "string", "minLength": 1, "description": "who"},
                "level": {"type": "string", "enum": ["a", "b"], "default": "a"},
                "tags": {"type": "array", "items": {"type": "string"}},
                "n": {"anyOf": [{"type": "integer"}, {"type": "null"}]},
            },
            "required": ["name", "n"],
        }
        assert (await session.tool("t", name="x", n=None)).details == [True, False]

    played(module(tmp_path, body), play)


def test_a_host_that_calls_models_lends_them_without_its_keys(tmp_path: Path) -> None:
    text = """import { complete } from '@mariozechner/pi-ai'
    export default (pi) => pi.registerCommand('go', { handler: async (args, ctx) => {
      const auth = await ctx.modelRegistry.getApiKeyAndHeaders(ctx.model)
      if (!auth.ok) return auth.error
      const messages = [{ role: 'user', content: [{ type: 'text', text: args }], timestamp: 0 }]
      return (await complete(ctx.model, { messages }, { apiKey: auth.apiKey })).content[0].text } })"""

    async def play(session: JsSession) -> list[Any]:
        session.host.completions.append("hello")
        answered = await session.command("go hi")
        assert session.host.completed[0]["context"]["messages"][0]["content"][0]["text"] == "hi"
        session.host.model = None
        return [answered, await session.command("go hi")]

    answered, refused = played(written(tmp_path, {"module.ts": text}), play)
    assert answered == "hello"
    assert "does not hand out API keys" in refused


def test_commands_of_all_modules_are_listed(tmp_path: Path) -> None:
    one = "export default (pi) => pi.registerCommand('one', { description: 'first', handler: async () => {} })"
    two = (
        "export default (pi) => pi.registerCommand('two', { handler: async () => pi.getCommands().map((c) => c.name) })"
    )

    async def play(session: JsSession) -> Any:
        return await session.command("two")

    assert played(written(tmp_path, {"one.ts": one, "two.ts": two}), play) == ["one", "two"]
