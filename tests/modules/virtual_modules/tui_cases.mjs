// What components and texts look like, for one implementation of pi-tui at a time: the same cases run with ours and with the real one.

const RED = "\x1b[31m";
const RESET = "\x1b[0m";

const PARTS = [
  "a", "bc", "hello", "world", "lorem ipsum", " ", "日本", "語", "한글", "👍", "👨‍👩‍👧", "é", RED, RESET, "\x1b[1;4m", "\x1b[24m", "\x1b[38;5;12m",
  "\x1b[48;2;1;2;3m", "\x1b[39m", "\x1b[7m", "\n", "🇩🇪", "☺️", "…", "─", "x-y", "foo/bar.txt", "(see)", "1️⃣", "\x1b]8;;http://x\x07", "\x1b]8;;\x07", "ﾊﾟ",
];

/** Texts made of words, wide characters, colours and links; the same ones every time. */
export function texts(count) {
  let seed = 7;
  const below = (limit) => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff;
    return (seed >> 8) % limit;
  };
  return Array.from({ length: count }, () => {
    const parts = Array.from({ length: below(12) + 1 }, () => PARTS[below(PARTS.length)]);
    return { text: parts.join(""), width: below(20) + 4 };
  });
}

export const textCases = (tui) =>
  texts(600).map(({ text, width }) => ({
    text,
    width,
    columns: tui.visibleWidth(text),
    cut: [tui.truncateToWidth(text, width), tui.truncateToWidth(text, width, "…", true), tui.truncateToWidth(text, width, "")],
    wrapped: tui.wrapTextWithAnsi(text, width),
  }));

const named = (names) => Object.fromEntries(names.split(" ").map((name) => [name, (text) => `<${name}>${text}</>`]));
const LIST = named("selectedPrefix selectedText description scrollInfo noMatch");
const SETTINGS = {
  label: (text, selected) => (selected ? `[${text}]` : text), value: (text, selected) => (selected ? `(${text})` : text),
  description: (text) => `<d>${text}`, cursor: "> ", hint: (text) => `<h>${text}`,
};
const ITEMS = [
  { value: "a", label: "Alpha", description: "first one\nmore" }, { value: "b", label: "Beta" },
  { value: "c", label: "Gamma", description: "third thing that is very long indeed and goes on" }, { value: "d", label: "Delta" },
];
const settings = () => [
  { id: "a", label: "Option A", description: "Says what A is", currentValue: "on", values: ["on", "off"] },
  { id: "b", label: "B", currentValue: "x", values: ["x", "y"] }, { id: "c", label: "Cee", currentValue: "z" },
];
const SCREEN = { requestRender() {}, terminal: { rows: 24, columns: 80 } };
const typed = (component, keys) => {
  for (const key of keys) component.handleInput(key);
  return component;
};

const DOCUMENTS = {
  headings: "# One\n\n## Two\n\n### Three\ntext after", inline: "para **bold** and *it* and `code` ~~del~~ [link](http://x)",
  list: "- a\n- b\n  - c\n  - d\n- e\n\nafter", numbers: "1. one\n2. two\n   - in\n3. three", code: "before\n```js\nlet x = 1;\n  y\n```\nafter",
  quote: "> quoted **b**\n> more\n\nafter", rule: "a\n\n---\n\nb", table: "| A | Bee |\n|---|:---:|\n| one | 2 |\n| **x** | longer |\n\nend",
  escapes: "a \\*b\\* c", nested: "**bold *both* end**", words: "_a_ __b__ snake_case_word", same: "[http://x](http://x)",
};
const MARKDOWN = Object.fromEntries(
  "heading link linkUrl code codeBlock codeBlockBorder quote quoteBorder hr listBullet bold italic strikethrough underline".split(" ").map((name) => [name, (text) => text]),
);

export const componentCases = (tui) => ({
  text: new tui.Text("hello world foo", 1, 1).render(10),
  background: new tui.Text("hi", 2, 0, (text) => `<${text}>`).render(10),
  empty: [new tui.Text("").render(10), new tui.Text("   ", 1, 1).render(10)],
  truncated: new tui.TruncatedText("hello world\nfoo", 1, 1).render(10),
  spacer: new tui.Spacer(2).render(3),
  box: (() => {
    const box = new tui.Box(1, 1, (text) => `<${text}>`);
    box.addChild(new tui.Text("hi there you", 0, 0));
    return [new tui.Box().render(8), box.render(8)];
  })(),
  list: [new tui.SelectList(ITEMS, 3, LIST).render(60), new tui.SelectList(ITEMS, 3, LIST).render(30)],
  chosen: (() => {
    const list = new tui.SelectList(ITEMS, 3, LIST);
    const said = [];
    list.onSelectionChange = (item) => said.push(item.value);
    list.onSelect = (item) => said.push(`chosen ${item.value}`);
    list.onCancel = () => said.push("cancelled");
    typed(list, ["\x1b[B", "\x1b[A", "\x1b[A", "\r", "\x1b", "\x03", "x"]);
    return [said, list.getSelectedItem(), list.render(80)];
  })(),
  filtered: ["b", "zzz"].map((filter) => {
    const list = new tui.SelectList(ITEMS, 3, LIST);
    list.setFilter(filter);
    return list.render(60);
  }),
  settings: (() => {
    const said = [];
    const list = new tui.SettingsList(settings(), 5, SETTINGS, (id, value) => said.push(`${id}=${value}`), () => said.push("cancelled"));
    const before = list.render(50);
    typed(list, ["\r", " ", "\x1b[B", "\r", "\x1b[A", "\x1b[A", "\r", "\x1b"]);
    return [before, said, list.render(50)];
  })(),
  searched: typed(new tui.SettingsList(settings(), 5, SETTINGS, () => {}, () => {}, { enableSearch: true }), ["c", "e"]).render(60),
  input: (() => {
    const input = new tui.Input();
    const before = input.render(10);
    input.focused = true;
    typed(input, [..."hello", "\x1b[D", "\x1b[D", "y", "\x7f", "\x01", "z", "\x05", "!"]);
    return [before, input.getValue(), input.render(12)];
  })(),
  killed: (() => {
    const input = typed(new tui.Input(), [..."the quick brown fox jumps over"]);
    const shown = input.render(12);
    const values = ["\x17", "\x15", "\x19"].map((key) => typed(input, [key]).getValue());
    return [shown, values];
  })(),
  pasted: typed(new tui.Input(), ["\x1b[200~pa\nste\x1b[201~"]).getValue(),
  editor: (() => {
    const editor = new tui.Editor(SCREEN, { borderColor: () => "", selectList: LIST });
    editor.setText("one\ntwo\nthree");
    typed(editor, ["\x1b[A", "x", "\x01", "y", "\x1b[B", "z"]);
    return [editor.getText(), editor.getCursor(), editor.render(12)];
  })(),
  submitted: (() => {
    const editor = new tui.Editor(SCREEN, { borderColor: () => "", selectList: LIST }, { paddingX: 1 });
    const said = [];
    editor.onSubmit = (text) => said.push(text);
    typed(editor, ["a", "\n", "b", "\\", "\r", "c", "\r"]);
    return [said, editor.getText()];
  })(),
  wrapped: (() => {
    const editor = typed(new tui.Editor(SCREEN, { borderColor: () => "", selectList: LIST }), [..."hello world this is long"]);
    editor.focused = true;
    return editor.render(20);
  })(),
  history: (() => {
    const editor = new tui.Editor(SCREEN, { borderColor: () => "", selectList: LIST });
    for (const text of ["first", "second"]) editor.addToHistory(text);
    return ["\x1b[A", "\x1b[A", "\x1b[B", "\x1b[B"].map((key) => typed(editor, [key]).getText());
  })(),
  loader: (() => {
    const loader = new tui.Loader(SCREEN, (text) => `<s>${text}`, (text) => `<m>${text}`, "Working");
    loader.stop();
    return loader.render(30);
  })(),
  markdown: Object.values(DOCUMENTS).map((text) => new tui.Markdown(text, 1, 1, MARKDOWN).render(40).map((line) => line.trimEnd())),
  fuzzy: [
    ["abc", "aXbXc"], ["abc", "abc"], ["x", "abc"], ["gp", "git push"], ["b1", "1b"], ["fb", "foo bar"], ["rt", "README tool"],
  ].map(([query, text]) => tui.fuzzyMatch(query, text).score.toFixed(2)),
  filteredWords: [
    tui.fuzzyFilter(["git push", "gp", "grep", "go pull", "src/a/b"], "gp", (text) => text),
    tui.fuzzyFilter(["read file", "file read", "fr", "config/file"], "file re", (text) => text),
  ],
});

const SEQUENCES = `A B C D H F E OA OB OC OD OH OF OP OQ OR OS OM 11~ 12~ 13~ 14~ 15~ 17~ 18~ 19~ 20~ 21~ 23~ 24~ 2~ 3~ 5~ 6~ 7~ 8~ Z a b c d Oa Ob Oc Od
  2$ 3$ 5$ 7$ 8$ 2^ 3^ 5^ 7^ 1;2A 1;5C 1;3D 1;6A 1;9A 1;5H 1;5F 1;1:3A 1;1:2A 3;5~ 3;3~ 5;5~ 97u 97;5u 97;2u 97:65;2u 97;3u 97;9u 97;1:3u 97;6u
  13u 13;2u 13;5u 27u 9u 9;2u 127u 127;5u 127;3u 32u 32;2u 32;5u 57414u 57399u 57417u 1089::99;5u 27;5;97~ 27;2;13~ 27;5;13~ 27;6;65~ 99;65u 99;69u
  47;5u 63;5u 49;5u 65;5u 65;2u`.split(/\s+/).map((each) => (each.startsWith("O") ? `\x1b${each}` : `\x1b[${each}`));
const CONTROLS = Array.from({ length: 32 }, (_, code) => String.fromCharCode(code));
const KEYS = [
  ..."abcdefghijklmnopqrstuvwxyz0159`-=[]\\;',./!@#$%^&*()_|~{}:<>?",
  ..."escape esc enter return tab space backspace delete insert clear home end pageUp pageDown up down left right f1 f2 f5 f12".split(" "),
];
const MODIFIERS = ["", "ctrl+", "shift+", "alt+", "super+", "ctrl+shift+", "ctrl+alt+", "shift+ctrl+"];
const NAMES = MODIFIERS.flatMap((modifier) => KEYS.map((key) => modifier + key));

export const keyCases = (tui) =>
  [...CONTROLS, ..."aZ09-./?[", "\x7f", ..."abzB1 \r\n\t\x7f\x1b\b\x01\x1dpnfd".split("").map((each) => `\x1b${each}`), ...SEQUENCES, "ab", "é", "\x1b[200~x"].map((data) => ({
    data,
    parsed: tui.parseKey(data) ?? null,
    matched: NAMES.filter((name) => tui.matchesKey(data, name)),
    release: tui.isKeyRelease(data),
    repeat: tui.isKeyRepeat(data),
    character: tui.decodeKittyPrintable(data) ?? null,
  }));
