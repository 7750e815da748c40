// Which keys mean which action: defaults, and what the user binds instead.

import { matchesKey } from "./keys.mjs";

const DEFAULTS = `
tui.editor.cursorUp = up : Move cursor up
tui.editor.cursorDown = down : Move cursor down
tui.editor.historyPrevious = : Select previous prompt history entry
tui.editor.historyNext = : Select next prompt history entry
tui.editor.cursorLeft = left ctrl+b : Move cursor left
tui.editor.cursorRight = right ctrl+f : Move cursor right
tui.editor.cursorWordLeft = alt+left ctrl+left alt+b : Move cursor word left
tui.editor.cursorWordRight = alt+right ctrl+right alt+f : Move cursor word right
tui.editor.cursorLineStart = home ctrl+home ctrl+a : Move to line start
tui.editor.cursorLineEnd = end ctrl+end ctrl+e : Move to line end
tui.editor.jumpForward = ctrl+] : Jump forward to character
tui.editor.jumpBackward = ctrl+alt+] : Jump backward to character
tui.editor.pageUp = pageUp ctrl+pageUp : Page up
tui.editor.pageDown = pageDown ctrl+pageDown : Page down
tui.editor.deleteCharBackward = backspace : Delete character backward
tui.editor.deleteCharForward = delete ctrl+d : Delete character forward
tui.editor.deleteWordBackward = ctrl+w alt+backspace : Delete word backward
tui.editor.deleteWordForward = alt+d alt+delete : Delete word forward
tui.editor.deleteToLineStart = ctrl+u : Delete to line start
tui.editor.deleteToLineEnd = ctrl+k : Delete to line end
tui.editor.yank = ctrl+y : Yank
tui.editor.yankPop = alt+y : Yank pop
tui.editor.undo = ctrl+- : Undo
tui.input.newLine = shift+enter ctrl+j : Insert newline
tui.input.submit = enter : Submit input
tui.input.tab = tab : Tab / autocomplete
tui.input.copy = ctrl+c : Copy selection
tui.select.up = up : Move selection up
tui.select.down = down : Move selection down
tui.select.pageUp = pageUp : Selection page up
tui.select.pageDown = pageDown : Selection page down
tui.select.confirm = enter : Confirm selection
tui.select.cancel = escape ctrl+c : Cancel selection
app.interrupt = escape : Cancel or abort
app.clear = ctrl+c : Clear editor
app.exit = ctrl+d : Exit when editor is empty
app.suspend = ctrl+z : Suspend to background
app.thinking.cycle = shift+tab : Cycle thinking level
app.model.cycleForward = ctrl+p : Cycle to next model
app.model.cycleBackward = shift+ctrl+p : Cycle to previous model
app.model.select = ctrl+l : Open model selector
app.tools.expand = ctrl+o : Toggle tool output
app.thinking.toggle = ctrl+t : Toggle thinking blocks
app.editor.external = ctrl+g : Open external editor
app.message.followUp = alt+enter : Queue follow-up message
app.message.dequeue = alt+up : Restore queued messages
app.clipboard.pasteImage = ctrl+v : Paste image from clipboard
`;

const definitionOf = (line) => {
  const [name, rest] = line.split(" = ");
  const [keys, description] = rest.split(/ ?: /);
  const list = keys.split(" ").filter(Boolean);
  return [name, { defaultKeys: list.length === 1 ? list[0] : list, description }];
};

const DEFINITIONS = Object.fromEntries(DEFAULTS.trim().split("\n").map((line) => definitionOf(line.replace(" = :", " =  :"))));
const below = (prefix) => Object.fromEntries(Object.entries(DEFINITIONS).filter(([name]) => name.startsWith(prefix)));

export const TUI_KEYBINDINGS = Object.freeze(below("tui."));

const asList = (keys) => (keys === undefined ? [] : Array.isArray(keys) ? [...keys] : [keys]);

export class KeybindingsManager {
  constructor(definitions = DEFINITIONS, userBindings = {}) {
    this.definitions = { ...DEFINITIONS, ...definitions };
    this.userBindings = userBindings;
  }

  getKeys(name) {
    return asList(this.userBindings[name] ?? this.definitions[name]?.defaultKeys);
  }

  matches(data, name) {
    return this.getKeys(name).some((key) => matchesKey(data, key));
  }

  getDefinition(name) {
    return this.definitions[name];
  }

  getConflicts() {
    const users = {};
    for (const [name, keys] of Object.entries(this.userBindings)) for (const key of asList(keys)) (users[key] ??= []).push(name);
    return Object.entries(users).filter(([, names]) => names.length > 1).map(([key, keybindings]) => ({ key, keybindings }));
  }

  setUserBindings(userBindings) {
    this.userBindings = userBindings;
  }

  getUserBindings() {
    return { ...this.userBindings };
  }

  getResolvedBindings() {
    const keysOf = (name) => this.getKeys(name);
    return Object.fromEntries(
      Object.keys(this.definitions).map((name) => [name, keysOf(name).length === 1 ? keysOf(name)[0] : keysOf(name)]),
    );
  }
}

let current = new KeybindingsManager();
export const getKeybindings = () => current;
export const setKeybindings = (keybindings) => void (current = keybindings);

const INPUTS = ["submit", "newLine", "tab", "copy"];

/** What older versions of pi called an action: `selectUp`, `submit`, `deleteWordBackward`. */
function today(name) {
  if (name in DEFINITIONS) return name;
  if (name.startsWith("select")) return `tui.select.${name.charAt(6).toLowerCase()}${name.slice(7)}`;
  return INPUTS.includes(name) ? `tui.input.${name}` : `tui.editor.${name}`;
}

/** The same keys under their older names. */
export const getEditorKeybindings = () => ({
  matches: (data, name) => current.matches(data, today(name)),
  getKeys: (name) => current.getKeys(today(name)),
});
