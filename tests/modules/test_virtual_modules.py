"""The packages that extensions of pi and omp import from their host: what is made works, the rest says its name."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.modules.virtual_modules.script import shown

SCOPES = ("@oh-my-pi", "@mariozechner", "@earendil-works")
PACKAGES = ("pi-agent-core", "pi-ai", "pi-coding-agent", "pi-natives", "pi-tui", "pi-utils")


def test_every_package_of_every_scope_opens(tmp_path: Path) -> None:
    counts = shown(
        tmp_path,
        "const counts = {};"
        "for (const name of virtualModules.keys()) counts[name] = Object.keys(await load(name)).length;"
        "show(counts);",
    )
    assert {f"{scope}/{package}" for scope in SCOPES for package in PACKAGES} <= set(counts)
    assert {"typebox", "typebox/value", "typebox/compile", "@sinclair/typebox", "@sinclair/typebox/value"} <= set(
        counts
    )
    assert {"@oh-my-pi/pi-ai/oauth", "@mariozechner/pi-ai/compat", "@earendil-works/pi-ai/utils/oauth"} <= set(counts)
    assert all(count > 2 for count in counts.values())


def test_classes_are_the_same_in_every_scope(tmp_path: Path) -> None:
    same = shown(
        tmp_path,
        "const [one, other] = await Promise.all(['@oh-my-pi/pi-tui', '@mariozechner/pi-tui'].map(load));"
        "show(new one.Text('x') instanceof other.Text && virtualModules.get('typebox') === virtualModules.typebox);",
    )
    assert same is True


def test_a_name_that_is_not_made_here_says_so_when_used_and_not_before(tmp_path: Path) -> None:
    said = shown(
        tmp_path,
        """
        const reports = [];
        bind({ call: async () => null, state: {}, report: (message) => reports.push(message) });
        const { createAgentSession, InteractiveMode } = await load("@earendil-works/pi-coding-agent");
        class Mine extends InteractiveMode {}
        const errors = [];
        const uses = [createAgentSession, createAgentSession, () => new Mine(), () => InteractiveMode.start()];
        for (const use of uses) {
          try { use(); } catch (error) { errors.push(error.message); }
        }
        show({ errors, reports });
        """,
    )
    assert said["errors"] == [
        "`createAgentSession` of pi-coding-agent is not available in pisces",
        "`createAgentSession` of pi-coding-agent is not available in pisces",
        "`InteractiveMode` of pi-coding-agent is not available in pisces",
        "`InteractiveMode.start` of pi-coding-agent is not available in pisces",
    ]
    assert said["reports"] == sorted(set(said["errors"]), key=said["errors"].index)


def test_schemas_are_plain_json_schema(tmp_path: Path) -> None:
    schema = shown(
        tmp_path,
        """
        const { Type } = await load("typebox");
        const { StringEnum } = await load("@mariozechner/pi-ai");
        const text = Type.Optional(Type.String({ description: "What" }));
        show(Type.Object({ action: StringEnum(["list", "add"]), text }));
        """,
    )
    assert schema == {
        "type": "object",
        "required": ["action"],
        "properties": {
            "action": {"type": "string", "enum": ["list", "add"]},
            "text": {"type": "string", "description": "What"},
        },
    }


def test_values_are_checked_filled_and_decoded(tmp_path: Path) -> None:
    done = shown(
        tmp_path,
        """
        const { Type } = await load("@sinclair/typebox");
        const { Value } = await load("@sinclair/typebox/value");
        const { Compile } = await load("typebox/compile");
        const schema = Type.Object({ n: Type.Number({ minimum: 1 }), on: Type.Boolean({ default: true }) });
        const length = Type.Transform(Type.String()).Decode((text) => text.length).Encode((size) => "x".repeat(size));
        show({
          first: Value.Errors(schema, { n: 0, on: true }).First(),
          filled: Value.Default(schema, { n: 3 }),
          parsed: Value.Parse(schema, { n: "3", more: 1 }),
          checked: [Compile(schema).Check({ n: 3, on: false }), Compile(schema).Check({})],
          decoded: [Value.Decode(length, "four"), Value.Encode(length, 2)],
        });
        """,
    )
    assert (done["first"]["path"], done["first"]["value"]) == ("/n", 0)
    assert done["filled"] == {"n": 3, "on": True}
    assert done["parsed"] == {"n": 3, "on": True}
    assert done["checked"] == [True, False]
    assert done["decoded"] == [4, "xx"]


def test_texts_are_measured_cut_and_wrapped_by_columns(tmp_path: Path) -> None:
    done = shown(
        tmp_path,
        r"""
        const { visibleWidth, truncateToWidth, wrapTextWithAnsi } = await load("@mariozechner/pi-tui");
        show([
          ["abc", "日本", "👨‍👩‍👧", "\x1b[31mx\x1b[0m", "é", "\t"].map(visibleWidth),
          truncateToWidth("hello world", 8),
          wrapTextWithAnsi("\x1b[4munder line\x1b[24m x", 7),
        ]);
        """,
    )
    assert done[0] == [3, 4, 2, 1, 1, 3]
    assert done[1] == "hello\x1b[0m...\x1b[0m"
    assert done[2] == ["\x1b[4munder\x1b[24m", "\x1b[4mline\x1b[24m x"]


def test_keys_are_known_by_name_however_the_terminal_sends_them(tmp_path: Path) -> None:
    done = shown(
        tmp_path,
        r"""
        const { Key, isKeyRelease, matchesKey, parseKey } = await load("@earendil-works/pi-tui");
        const sent = ["\x1b[A", "\x1bOA", "\x03", "\x1b[99;5u", "\r", "\x1b[Z", "\x1b[13;2u", "x", "\x1b[27;5;97~"];
        show([sent.map(parseKey), matchesKey("\x1b[112;6u", Key.ctrlShift("p")), isKeyRelease("\x1b[97;1:3u")]);
        """,
    )
    names = ["up", "up", "ctrl+c", "ctrl+c", "enter", "shift+tab", "shift+enter", "x", "ctrl+a"]
    assert done == [names, True, True]


def test_an_own_editor_gets_keys_and_draws_itself(tmp_path: Path) -> None:
    done = shown(
        tmp_path,
        r"""
        const { CustomEditor } = await load("@mariozechner/pi-coding-agent");
        const { getKeybindings } = await load("@mariozechner/pi-tui");
        class Vi extends CustomEditor {
          handleInput(data) {
            if (data === "\x1b") this.isNormal = true;
            else if (!this.isNormal) super.handleInput(data);
          }
          render(width) { return [...super.render(width), this.isNormal ? "NORMAL" : "INSERT"]; }
        }
        const screen = { requestRender() {}, terminal: { rows: 24, columns: 80 } };
        const editor = new Vi(screen, { borderColor: (text) => text, selectList: {} }, getKeybindings());
        const sent = [];
        editor.onSubmit = (text) => sent.push(text);
        for (const key of ["h", "i", "\r", "y", "o", "\x1b", "x"]) editor.handleInput(key);
        show({ sent, text: editor.getText(), last: editor.render(20).at(-1) });
        """,
    )
    assert done == {"sent": ["hi"], "text": "yo", "last": "NORMAL"}


def test_tools_run_with_operations_of_the_extension(tmp_path: Path) -> None:
    done = shown(
        tmp_path,
        r"""
        const { createBashTool, createReadTool, createEditTool } = await load("@earendil-works/pi-coding-agent");
        const said = [];
        const exec = async (command, cwd, { onData }) => {
          said.push(command);
          onData(Buffer.from(`ran ${command} in ${cwd}`));
          return { exitCode: 0 };
        };
        const kept = new Map([["/far/a", "one\r\ntwo\r\n"]]);
        const operations = {
          access: async () => {},
          readFile: async (path) => Buffer.from(kept.get(path)),
          writeFile: async (path, text) => void kept.set(path, text),
        };
        const spawnHook = (given) => ({ ...given, command: `ssh ${given.command}` });
        const text = async (tool, args) => (await tool.execute("1", args)).content[0].text;
        show([
          await text(createBashTool("/far", { operations: { exec }, spawnHook }), { command: "ls" }),
          await text(createEditTool("/far", { operations }), { path: "a", edits: [{ oldText: "two", newText: "2" }] }),
          await text(createReadTool("/far", { operations }), { path: "a" }),
          said,
        ]);
        """,
    )
    assert done == ["ran ssh ls in /far", "Successfully replaced 1 block(s) in a.", "one\r\n2\r\n", ["ssh ls"]]


def test_an_edit_that_means_no_place_or_two_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("one\ntwo\ntwo\n", "utf-8")
    done = shown(
        tmp_path,
        """
        const edit = (await load("@mariozechner/pi-coding-agent")).createEditTool(process.cwd());
        const failure = (...edits) => edit.execute("1", { path: "a.txt", edits }).catch((error) => error.message);
        const replaced = (oldText) => ({ oldText, newText: "x" });
        const overlapping = [replaced("one\\ntwo"), replaced("one")];
        show([await failure(replaced("three")), await failure(replaced("two")), await failure(...overlapping)]);
        """,
    )
    assert done == [
        "a.txt does not contain this oldText. It must be the same to the letter, with its blanks and line ends.",
        "a.txt contains this oldText 2 times. Make it longer, so that only one place is meant.",
        "Two edits of a.txt overlap: make them one.",
    ]
    assert (tmp_path / "a.txt").read_text("utf-8") == "one\ntwo\ntwo\n"


def test_files_are_found_and_searched_without_what_git_ignores(tmp_path: Path) -> None:
    for name, text in {
        "src/a.ts": "alpha\nBeta\n",
        "src/b.py": "beta",
        "out/c.ts": "beta",
        ".gitignore": "out/\n",
    }.items():
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "tree" / name).write_text(text, "utf-8")
    done = shown(
        tmp_path,
        """
        const { createFindTool, createGrepTool } = await load("@mariozechner/pi-coding-agent");
        const text = async (tool, args) => (await tool.execute("1", args)).content[0].text;
        show([
          await text(createFindTool(process.env.TREE), { pattern: "*.ts" }),
          await text(createGrepTool(process.env.TREE), { pattern: "beta", ignoreCase: true, context: 1 }),
          await text(createGrepTool(process.env.TREE), { pattern: "beta", glob: "*.py" }),
          await text(createGrepTool(process.env.TREE), { pattern: "nothing" }),
        ]);
        """,
        TREE=str(tmp_path / "tree"),
    )
    assert done == [
        "src/a.ts",
        "src/a.ts-1- alpha\nsrc/a.ts:2: Beta\nsrc/a.ts-3- \nsrc/b.py:1: beta",
        "src/b.py:1: beta",
        "No matches found",
    ]


def test_a_command_that_takes_too_long_is_ended_with_its_children(tmp_path: Path) -> None:
    done = shown(
        tmp_path,
        """
        const { createBashTool } = await load("@mariozechner/pi-coding-agent");
        const bash = createBashTool(process.cwd());
        const failure = (args, signal) => bash.execute("1", args, signal).catch((error) => error.message);
        const late = await failure({ command: "echo begun; sleep 30 & wait", timeout: 0.2 });
        show([late, await failure({ command: "sleep 30" }, AbortSignal.abort())]);
        """,
    )
    assert done == ["begun\n\n\nCommand timed out after 0.2 seconds", "Command aborted"]


def test_changes_of_one_file_wait_for_each_other(tmp_path: Path) -> None:
    order = shown(
        tmp_path,
        """
        const { withFileMutationQueue } = await load("@earendil-works/pi-coding-agent");
        const order = [];
        let open;
        const gate = new Promise((resolve) => { open = resolve; });
        const first = withFileMutationQueue("x", async () => {
          await gate;
          order.push("first");
          throw new Error("failed");
        }).catch(() => {});
        const second = withFileMutationQueue("./x", async () => order.push("second"));
        await withFileMutationQueue("y", async () => order.push("other file"));
        open();
        await Promise.all([first, second]);
        show(order);
        """,
    )
    assert order == ["other file", "first", "second"]


def test_a_model_is_asked_through_the_host(tmp_path: Path) -> None:
    done = shown(
        tmp_path,
        """
        const asked = [];
        const model = { id: "m", provider: "p", api: "a" };
        const call = async (name, args) => {
          asked.push([name, args.context.tools[0].name]);
          return "an answer";
        };
        bind({ call, state: { models: [model] }, report() {} });
        const { complete, getModel, streamSimple } = await load("@mariozechner/pi-ai");
        const context = { systemPrompt: "s", messages: [], tools: [{ name: "t", execute() {} }] };
        const message = await complete(getModel("p", "m"), context, { signal: new AbortController().signal });
        const events = [];
        for await (const event of streamSimple(model, context)) events.push(event.type);
        show({ asked, content: message.content, stopReason: message.stopReason, events });
        """,
    )
    assert done["asked"] == [["model.complete", "t"]] * 2
    assert (done["content"], done["stopReason"]) == ([{"type": "text", "text": "an answer"}], "stop")
    assert done["events"] == ["start", "text_start", "text_delta", "text_end", "done"]


@pytest.mark.parametrize(
    ("host", "message"),
    [
        ("", "`model.complete` needs a host, and none is bound"),
        ("bind({ call: async () => null, state: {}, report() {} });", "the host has no model to ask: p/m"),
    ],
    ids=["no host", "a host without a model"],
)
def test_asking_a_model_that_nobody_has_fails_with_the_reason(tmp_path: Path, host: str, message: str) -> None:
    done = shown(
        tmp_path,
        host
        + """
        const { complete, stream } = await load("@mariozechner/pi-ai");
        const model = { id: "m", provider: "p", api: "a" };
        const streamed = await stream(model, { messages: [] }).result();
        const error = await complete(model, { messages: [] }).catch((error) => error.message);
        show([error, streamed.stopReason, streamed.errorMessage]);
        """,
    )
    assert done == [message, "error", message]


def test_a_model_that_an_extension_brings_is_asked_in_place(tmp_path: Path) -> None:
    done = shown(
        tmp_path,
        """
        const ai = await load("@earendil-works/pi-ai");
        const streamSimple = (model) => {
          const events = ai.createAssistantMessageEventStream();
          const message = { role: "assistant", content: [], model: model.id };
          queueMicrotask(() => events.push({ type: "done", reason: "stop", message }));
          return events;
        };
        ai.registerApiProvider({ api: "mine", stream: streamSimple, streamSimple });
        show((await ai.completeSimple({ id: "m", api: "mine" }, { messages: [] })).model);
        """,
    )
    assert done == "m"


def test_an_agent_of_an_extension_runs_its_tools_with_the_model_of_the_host(tmp_path: Path) -> None:
    done = shown(
        tmp_path,
        """
        const { Agent } = await load("@mariozechner/pi-agent-core");
        const answers = [
          { content: [{ type: "toolCall", id: "1", name: "shout", arguments: { text: "hi" } }], stopReason: "toolUse" },
          { content: "it said HI" },
        ];
        bind({ call: async () => answers.shift(), state: {}, report() {} });
        const shout = {
          name: "shout", label: "shout", description: "", parameters: { type: "object" },
          execute: async (_id, { text }) => ({ content: [{ type: "text", text: text.toUpperCase() }] }),
        };
        const agent = new Agent({ initialState: { model: { id: "m", provider: "p", api: "a" }, tools: [shout] } });
        await agent.prompt("go");
        show(agent.state.messages.map((message) => [message.role, message.content.at(-1).text ?? null]));
        """,
    )
    assert done == [["user", "go"], ["assistant", None], ["toolResult", "HI"], ["assistant", "it said HI"]]


def test_a_transcript_is_kept_as_a_tree_and_read_again(tmp_path: Path) -> None:
    done = shown(
        tmp_path,
        """
        const { SessionManager } = await load("@mariozechner/pi-coding-agent");
        const session = SessionManager.create("/project", process.cwd());
        const first = session.appendMessage({ role: "user", content: "one" });
        session.appendMessage({ role: "user", content: "two" });
        session.branch(first);
        session.appendMessage({ role: "user", content: "three" });
        session.appendLabelChange(first, "start");
        const again = SessionManager.open(session.getSessionFile());
        const said = again.getBranch().map((entry) => entry.message?.content).filter(Boolean);
        const [listed] = await SessionManager.list("/project", process.cwd());
        const isSame = again.getSessionId() === session.getSessionId();
        show([said, again.getTree()[0].children.length, again.getLabel(first), isSame, listed.firstMessage]);
        """,
    )
    assert done == [["one", "three"], 2, "start", True, "one"]


def test_settings_are_read_and_never_written(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"theme": "dark", "quietStartup": true}', "utf-8")
    done = shown(
        tmp_path,
        """
        const { SettingsManager, getAgentDir } = await load("@mariozechner/pi-coding-agent");
        const settings = SettingsManager.create(process.cwd());
        let error;
        try { settings.setTheme("light"); } catch (caught) { error = caught.message; }
        show([settings.getTheme(), settings.getQuietStartup(), error.includes("do not write"), getAgentDir()]);
        """,
        PI_CODING_AGENT_DIR=str(tmp_path),
    )
    assert done == ["dark", True, True, str(tmp_path)]


def test_markdown_is_drawn_in_the_colours_of_the_host(tmp_path: Path) -> None:
    done = shown(
        tmp_path,
        """
        const named = (name) => (...given) => `<${name}>${given.at(-1)}</>`;
        const theme = { fg: (colour, text) => `<${colour}>${text}</>`, bold: named("bold"), italic: named("italic") };
        bind({ call: async () => null, state: {}, report() {}, theme });
        const { Markdown } = await load("@mariozechner/pi-tui");
        const { getMarkdownTheme } = await load("@mariozechner/pi-coding-agent");
        show(new Markdown("- **a**\\n- `b`", 0, 0, getMarkdownTheme()).render(80).map((line) => line.trimEnd()));
        """,
    )
    assert done == ["<mdListBullet>- </><bold>a</>", "<mdListBullet>- </><mdCode>b</>"]


def test_a_loader_is_cancelled_by_escape(tmp_path: Path) -> None:
    done = shown(
        tmp_path,
        r"""
        const { BorderedLoader } = await load("@earendil-works/pi-coding-agent");
        const theme = { fg: (_colour, text) => text, bg: (_colour, text) => text, bold: (text) => text };
        const loader = new BorderedLoader({ requestRender() {} }, theme, "Working");
        let cancelled = 0;
        loader.onAbort = () => cancelled++;
        const shownLines = loader.render(30).map((line) => line.replace(/\x1b\[\d+m/g, "").trimEnd());
        loader.handleInput("\x1b");
        loader.dispose();
        show([shownLines, cancelled, loader.signal.aborted]);
        """,
    )
    assert done == [["─" * 30, "", " ⠋ Working", "", " escape/ctrl+c cancel", "", "─" * 30], 1, True]
