// A text of many lines to edit between two borders: wraps, scrolls, remembers prompts, completes words.

import { CURSOR_MARKER } from "./boxes.mjs";
import { insertable, KillRing, nextBoundary, nextWord, Paste, previousBoundary, previousWord } from "./input.mjs";
import { getKeybindings } from "./keybindings.mjs";
import { matchesKey } from "./keys.mjs";
import { SelectList } from "./lists.mjs";
import { columnIn, placeOf, rowOfCursor, visualLines } from "./visual_lines.mjs";
import { characters, visibleWidth } from "./width.mjs";

const LARGE_PASTE_LINES = 10;
const LARGE_PASTE_CHARACTERS = 1000;
const HISTORY_LENGTH = 100;
const LEAST_LINES = 5;

const normalized = (text) => text.replace(/\r\n|\r/g, "\n").replaceAll("\t", "    ");

export class Editor {
  focused = false;
  disableSubmit = false;
  #paste = new Paste();
  #kills = new KillRing();
  #undo = [];
  #last = "";
  #pastes = new Map();
  #pasteCount = 0;
  #history = [];
  #historyAt = -1;
  #width = 80;
  #scroll = 0;
  #column = null;
  #jump = null;
  #completion = null;

  constructor(tui, theme, options = {}) {
    this.tui = tui;
    this.theme = theme;
    this.borderColor = theme?.borderColor ?? ((text) => text);
    this.state = { lines: [""], cursorLine: 0, cursorCol: 0 };
    this.paddingX = Math.max(0, Math.floor(options.paddingX ?? 0));
    this.autocompleteMaxVisible = options.autocompleteMaxVisible ?? 5;
  }

  getPaddingX() { return this.paddingX; }

  setPaddingX(padding) {
    this.paddingX = Math.max(0, Math.floor(padding));
    this.tui?.requestRender?.();
  }

  getAutocompleteMaxVisible() { return this.autocompleteMaxVisible; }

  setAutocompleteMaxVisible(count) {
    this.autocompleteMaxVisible = Math.max(3, Math.min(20, Math.floor(count)));
  }

  setAutocompleteProvider(provider) {
    this.autocompleteProvider = provider;
  }

  isShowingAutocomplete() {
    return Boolean(this.#completion);
  }

  addToHistory(text) {
    const entry = text.trim();
    if (!entry || this.#history[0] === entry) return;
    this.#history = [entry, ...this.#history].slice(0, HISTORY_LENGTH);
  }

  getText() { return this.state.lines.join("\n"); }

  getExpandedText() {
    return this.getText().replace(/\[paste #(\d+)(?: (?:\+\d+ lines|\d+ chars))?\]/g, (marker, id) => this.#pastes.get(Number(id)) ?? marker);
  }

  getLines() { return [...this.state.lines]; }

  getCursor() { return { line: this.state.cursorLine, col: this.state.cursorCol }; }

  setText(text) {
    this.#historyAt = -1;
    const wanted = normalized(text);
    if (wanted === this.getText()) return;
    this.#remember();
    this.#replace(wanted);
  }

  insertTextAtCursor(text) {
    if (!text) return;
    this.#remember();
    this.#historyAt = -1;
    this.#insert(normalized(text));
  }

  invalidate() {}

  get #line() {
    return this.state.lines[this.state.cursorLine] ?? "";
  }

  #replace(text) {
    const lines = text.split("\n");
    this.state = { lines, cursorLine: lines.length - 1, cursorCol: lines.at(-1).length };
    this.#scroll = 0;
    this.#changed();
  }

  #changed() {
    this.#column = null;
    this.onChange?.(this.getText());
  }

  #remember() {
    this.#undo.push({ ...this.state, lines: [...this.state.lines] });
    this.#last = "";
  }

  #insert(text) {
    const { lines, cursorLine, cursorCol } = this.state;
    const inserted = (this.#line.slice(0, cursorCol) + text).split("\n");
    const column = inserted.at(-1).length;
    inserted[inserted.length - 1] += this.#line.slice(cursorCol);
    lines.splice(cursorLine, 1, ...inserted);
    this.state.cursorLine += inserted.length - 1;
    this.state.cursorCol = column;
    this.#changed();
  }

  /** Remove the text from the cursor to another place. */
  #cut(toLine, toCol, options = {}) {
    const here = [this.state.cursorLine, this.state.cursorCol];
    const isBackward = toLine < here[0] || (toLine === here[0] && toCol < here[1]);
    const [from, to] = isBackward ? [[toLine, toCol], here] : [here, [toLine, toCol]];
    if (from[0] === to[0] && from[1] === to[1]) return;
    const isContinued = this.#last === "kill";
    this.#remember();
    const { lines } = this.state;
    const removed = [...lines.slice(from[0], to[0] + 1)];
    const joined = lines[from[0]].slice(0, from[1]) + lines[to[0]].slice(to[1]);
    lines.splice(from[0], to[0] - from[0] + 1, joined);
    this.state.cursorLine = from[0];
    this.state.cursorCol = from[1];
    if (options.isKept) {
      removed[removed.length - 1] = removed.at(-1).slice(0, to[1]);
      removed[0] = removed[0].slice(from[1]);
      this.#kills.push(removed.join("\n"), { isContinued, isBackward });
      this.#last = "kill";
    }
    this.#changed();
  }

  handleInput(data) {
    if (this.#jump) return this.#jumpTo(data);
    const paste = this.#paste.take(data);
    if (!paste) return this.#key(data);
    if (paste.text !== undefined) this.#insertPaste(normalized(paste.text).replace(/[\x00-\x09\x0b-\x1f\x7f]/g, ""));
    return paste.rest ? this.handleInput(paste.rest) : undefined;
  }

  #insertPaste(text) {
    this.#remember();
    this.#historyAt = -1;
    const lines = text.split("\n").length;
    if (lines <= LARGE_PASTE_LINES && text.length <= LARGE_PASTE_CHARACTERS) return this.#insert(text);
    this.#pastes.set(++this.#pasteCount, text);
    return this.#insert(`[paste #${this.#pasteCount} ${lines > LARGE_PASTE_LINES ? `+${lines} lines` : `${text.length} chars`}]`);
  }

  #key(data) {
    const keys = getKeybindings();
    if (this.#completion && this.#completionKey(data, keys)) return;
    if (keys.matches(data, "tui.input.tab")) return void this.#complete({ isForced: true });
    if (keys.matches(data, "tui.editor.jumpForward")) return void (this.#jump = 1);
    if (keys.matches(data, "tui.editor.jumpBackward")) return void (this.#jump = -1);
    if (keys.matches(data, "tui.input.newLine") || data === "\n" || data === "\x1b\r") return this.#newLine();
    if (keys.matches(data, "tui.input.submit")) return this.#enter();
    if (matchesKey(data, "shift+space")) return this.#type(" ");
    const action = Object.keys(this.#actions).find((name) => keys.matches(data, `tui.editor.${name}`));
    if (action) return this.#actions[action]();
    if (keys.matches(data, "tui.input.copy")) return;
    const text = insertable(data);
    if (text !== undefined) this.#type(text);
  }

  #type(text) {
    if (this.#last !== "type" || /\s/.test(text)) this.#remember();
    this.#historyAt = -1;
    this.#insert(text);
    this.#last = "type";
    if (this.#completion || text === "@" || (text === "/" && this.getText() === "/")) void this.#complete({});
  }

  #newLine() {
    this.#remember();
    this.#historyAt = -1;
    this.#insert("\n");
  }

  #enter() {
    if (this.disableSubmit) return;
    if (this.#line[this.state.cursorCol - 1] === "\\") {
      this.#cut(this.state.cursorLine, this.state.cursorCol - 1);
      this.#newLine();
      return;
    }
    const text = this.getExpandedText().trim();
    this.#pastes.clear();
    this.#pasteCount = 0;
    this.#undo = [];
    this.#historyAt = -1;
    this.#replace("");
    this.onSubmit?.(text);
  }

  #actions = {
    undo: () => {
      const before = this.#undo.pop();
      if (!before) return;
      this.state = before;
      this.#last = "";
      this.#changed();
    },
    deleteToLineEnd: () => this.#cut(...this.#endOrNextLine(this.#line.length), { isKept: true }),
    deleteToLineStart: () => this.#cut(...this.#startOrPreviousLine(0), { isKept: true }),
    deleteWordBackward: () => this.#cut(...this.#startOrPreviousLine(previousWord(this.#line, this.state.cursorCol)), { isKept: true }),
    deleteWordForward: () => this.#cut(...this.#endOrNextLine(nextWord(this.#line, this.state.cursorCol)), { isKept: true }),
    deleteCharBackward: () => this.#cut(...this.#startOrPreviousLine(previousBoundary(this.#line, this.state.cursorCol))),
    deleteCharForward: () => this.#cut(...this.#endOrNextLine(nextBoundary(this.#line, this.state.cursorCol))),
    yank: () => this.#yank(),
    yankPop: () => this.#yankPop(),
    cursorLineStart: () => this.#moveTo(this.state.cursorLine, 0),
    cursorLineEnd: () => this.#moveTo(this.state.cursorLine, this.#line.length),
    cursorWordLeft: () => this.#moveTo(...this.#startOrPreviousLine(previousWord(this.#line, this.state.cursorCol))),
    cursorWordRight: () => this.#moveTo(...this.#endOrNextLine(nextWord(this.#line, this.state.cursorCol))),
    cursorLeft: () => this.#moveTo(...this.#startOrPreviousLine(previousBoundary(this.#line, this.state.cursorCol))),
    cursorRight: () => this.#moveTo(...this.#endOrNextLine(nextBoundary(this.#line, this.state.cursorCol))),
    historyPrevious: () => this.#showHistory(1),
    historyNext: () => this.#showHistory(-1),
    cursorUp: () => this.#vertical(-1),
    cursorDown: () => this.#vertical(1),
    pageUp: () => this.#moveRows(-this.#rows()),
    pageDown: () => this.#moveRows(this.#rows()),
  };

  #startOrPreviousLine(column) {
    const { cursorLine, cursorCol, lines } = this.state;
    return cursorCol === 0 && cursorLine > 0 ? [cursorLine - 1, lines[cursorLine - 1].length] : [cursorLine, column];
  }

  #endOrNextLine(column) {
    const { cursorLine, cursorCol, lines } = this.state;
    return cursorCol === this.#line.length && cursorLine < lines.length - 1 ? [cursorLine + 1, 0] : [cursorLine, column];
  }

  #moveTo(line, column) {
    this.state.cursorLine = line;
    this.state.cursorCol = column;
    this.#column = null;
    this.#last = "";
  }

  #yank() {
    if (!this.#kills.last) return;
    this.#remember();
    this.#insert(this.#kills.last);
    this.#last = "yank";
  }

  #yankPop() {
    if (this.#last !== "yank" || this.#kills.entries.length < 2) return;
    this.#actions.undo();
    this.#kills.rotate();
    this.#yank();
  }

  #jumpTo(data) {
    const direction = this.#jump;
    this.#jump = null;
    if (insertable(data) === undefined) return this.#key(data);
    const found = placeOf(data, this.state, direction);
    return found ? this.#moveTo(...found) : undefined;
  }

  #vertical(direction) {
    const rows = visualLines(this.state.lines, this.#width);
    const at = rowOfCursor(rows, this.state);
    const isEmpty = this.getText() === "";
    const isAtEdge = direction < 0 ? at === 0 : at === rows.length - 1;
    if (isAtEdge && (isEmpty || this.#historyAt >= 0) && this.#history.length) return this.#showHistory(-direction);
    return this.#moveRows(direction);
  }

  #showHistory(step) {
    const at = this.#historyAt + step;
    if (at < -1 || at >= this.#history.length) return;
    this.#historyAt = at;
    this.#replace(at < 0 ? "" : this.#history[at]);
  }

  #moveRows(count) {
    const rows = visualLines(this.state.lines, this.#width);
    const at = rowOfCursor(rows, this.state);
    const target = Math.max(0, Math.min(rows.length - 1, at + count));
    if (target === at) {
      this.state.cursorCol = count < 0 ? 0 : this.#line.length;
      return;
    }
    const wanted = this.#column ?? this.state.cursorCol - rows[at].startIndex;
    this.state.cursorLine = rows[target].line;
    this.state.cursorCol = columnIn(rows, target, wanted);
    this.#column = wanted;
    this.#last = "";
  }

  #rows() {
    return Math.max(LEAST_LINES, Math.floor((this.tui?.terminal?.rows ?? 24) * 0.3));
  }

  renderTopBorder(width, hidden) {
    return this.borderColor(border(width, hidden ? `─── ↑ ${hidden} more ` : ""));
  }

  renderBottomBorder(width, hidden) {
    return this.borderColor(border(width, hidden ? `─── ↓ ${hidden} more ` : ""));
  }

  render(width) {
    const padding = Math.min(this.paddingX, Math.max(0, Math.floor((width - 1) / 2)));
    const inner = Math.max(1, width - 2 * padding);
    this.#width = Math.max(1, padding ? inner : inner - 1);
    const rows = visualLines(this.state.lines, this.#width);
    const at = rowOfCursor(rows, this.state);
    const shown = this.#rows();
    this.#scrollTo(at, shown, rows.length);
    const margin = " ".repeat(padding);
    const lines = rows.slice(this.#scroll, this.#scroll + shown).map((row, index) => {
      const text = this.#scroll + index === at ? this.#withCursor(row) : row.text.slice(0, this.#width);
      const room = inner - visibleWidth(text);
      return margin + text + " ".repeat(Math.max(0, room)) + (room < 0 ? "" : margin);
    });
    const below = Math.max(0, rows.length - this.#scroll - shown);
    const list = this.#completion ? this.#completion.list.render(inner).map((line) => margin + line) : [];
    return [this.renderTopBorder(width, this.#scroll), ...lines, this.renderBottomBorder(width, below), ...list];
  }

  #scrollTo(row, shown, count) {
    if (row < this.#scroll) this.#scroll = row;
    else if (row >= this.#scroll + shown) this.#scroll = row - shown + 1;
    this.#scroll = Math.max(0, Math.min(this.#scroll, count - shown));
  }

  #withCursor(row) {
    const at = this.state.cursorCol - row.startIndex;
    const under = [...characters(row.text.slice(at))][0]?.text ?? " ";
    const marker = this.focused && !this.#completion ? CURSOR_MARKER : "";
    return `${row.text.slice(0, at)}${marker}\x1b[7m${under}\x1b[0m${row.text.slice(at + under.length)}`;
  }

  async #complete({ isForced = false }) {
    const { lines, cursorLine, cursorCol } = this.state;
    const options = { signal: new AbortController().signal, force: isForced };
    const found = await this.autocompleteProvider?.getSuggestions([...lines], cursorLine, cursorCol, options);
    const isSame = this.state.cursorLine === cursorLine && this.state.cursorCol === cursorCol;
    this.#completion = found?.items?.length && isSame
      ? { prefix: found.prefix, list: new SelectList(found.items, this.autocompleteMaxVisible, this.theme.selectList) }
      : null;
    this.tui?.requestRender?.();
  }

  /** Whether the key was meant for the list of completions. */
  #completionKey(data, keys) {
    if (keys.matches(data, "tui.select.cancel")) this.#completion = null;
    else if (keys.matches(data, "tui.select.up") || keys.matches(data, "tui.select.down")) this.#completion.list.handleInput(data);
    else if (keys.matches(data, "tui.input.tab") || keys.matches(data, "tui.select.confirm")) this.#applyCompletion();
    else return false;
    return true;
  }

  #applyCompletion() {
    const { list, prefix } = this.#completion;
    const item = list.getSelectedItem();
    this.#completion = null;
    if (!item) return;
    this.#remember();
    const { lines, cursorLine, cursorCol } = this.state;
    this.state = { ...this.autocompleteProvider.applyCompletion([...lines], cursorLine, cursorCol, item, prefix) };
    this.#changed();
  }
}

const border = (width, words) => (words + "─".repeat(width)).slice(0, width);
