// Lists to choose from with the arrow keys: SelectList for one item, SettingsList for many values.

import { fuzzyFilter } from "./fuzzy.mjs";
import { Input } from "./input.mjs";
import { getKeybindings } from "./keybindings.mjs";
import { visibleWidth } from "./width.mjs";
import { truncateToWidth, wrapTextWithAnsi } from "./wrap.mjs";

const LABEL_COLUMNS = 32;
const ROOM_FOR_DESCRIPTION = 40;

const oneLine = (text) => text.replace(/[\r\n]+/g, " ").trim();

/** The part of a list that is shown, with the selection near its middle. */
function visibleRange(selected, shown, total) {
  const from = Math.max(0, Math.min(selected - Math.floor(shown / 2), total - shown));
  return [from, Math.min(from + shown, total)];
}

export class SelectList {
  constructor(items, maxVisible, theme, layout = {}) {
    Object.assign(this, { items, filteredItems: items, maxVisible, theme, layout, selectedIndex: 0 });
  }

  setFilter(filter) {
    this.filteredItems = this.items.filter((item) => item.value.toLowerCase().startsWith(filter.toLowerCase()));
    this.selectedIndex = 0;
  }

  setSelectedIndex(index) {
    this.selectedIndex = Math.max(0, Math.min(index, this.filteredItems.length - 1));
  }

  getSelectedItem() {
    return this.filteredItems[this.selectedIndex] ?? null;
  }

  invalidate() {}

  render(width) {
    if (!this.filteredItems.length) return [this.theme.noMatch("  No matching commands")];
    const [from, to] = visibleRange(this.selectedIndex, this.maxVisible, this.filteredItems.length);
    const column = this.#labelColumn();
    const lines = this.filteredItems.slice(from, to).map((item, at) => this.#line(item, from + at === this.selectedIndex, width, column));
    if (from === 0 && to === this.filteredItems.length) return lines;
    const place = `  (${this.selectedIndex + 1}/${this.filteredItems.length})`;
    return [...lines, this.theme.scrollInfo(truncateToWidth(place, width - 2, ""))];
  }

  #labelColumn() {
    const least = this.layout.minPrimaryColumnWidth ?? this.layout.maxPrimaryColumnWidth ?? LABEL_COLUMNS;
    const most = this.layout.maxPrimaryColumnWidth ?? this.layout.minPrimaryColumnWidth ?? LABEL_COLUMNS;
    const widest = Math.max(0, ...this.filteredItems.map((item) => visibleWidth(item.label || item.value) + 2));
    return Math.max(1, Math.min(least, most), Math.min(Math.max(least, most), widest));
  }

  #line(item, isSelected, width, column) {
    const label = item.label || item.value;
    const prefix = isSelected ? "→ " : "  ";
    const description = item.description ? oneLine(item.description) : "";
    if (description && width > ROOM_FOR_DESCRIPTION) {
      const columns = Math.max(1, Math.min(column, width - 6));
      const shown = this.#cut(label, columns - 2, columns, item, isSelected);
      const gap = " ".repeat(Math.max(1, columns - visibleWidth(shown)));
      const room = width - 2 - visibleWidth(shown) - gap.length - 2;
      if (room > 10) return this.#styled(prefix, shown, gap + truncateToWidth(description, room, ""), isSelected);
    }
    return this.#styled(prefix, this.#cut(label, width - 4, width - 4, item, isSelected), "", isSelected);
  }

  #cut(text, maxWidth, columnWidth, item, isSelected) {
    const cut = this.layout.truncatePrimary?.({ text, maxWidth, columnWidth, item, isSelected }) ?? text;
    return truncateToWidth(cut, maxWidth, "");
  }

  #styled(prefix, label, rest, isSelected) {
    if (isSelected) return this.theme.selectedText(prefix + label + rest);
    return prefix + label + (rest ? this.theme.description(rest) : "");
  }

  handleInput(data) {
    const keys = getKeybindings();
    const count = this.filteredItems.length;
    if (keys.matches(data, "tui.select.up")) this.#move((this.selectedIndex - 1 + count) % Math.max(1, count));
    else if (keys.matches(data, "tui.select.down")) this.#move((this.selectedIndex + 1) % Math.max(1, count));
    else if (keys.matches(data, "tui.select.confirm")) {
      if (this.getSelectedItem()) this.onSelect?.(this.getSelectedItem());
    } else if (keys.matches(data, "tui.select.cancel")) this.onCancel?.();
  }

  #move(index) {
    this.selectedIndex = index;
    if (this.getSelectedItem()) this.onSelectionChange?.(this.getSelectedItem());
  }
}

export class SettingsList {
  constructor(items, maxVisible, theme, onChange, onCancel, options = {}) {
    Object.assign(this, { items, filteredItems: items, maxVisible, theme, onChange, onCancel, selectedIndex: 0 });
    this.searchInput = options.enableSearch ? new Input() : undefined;
    this.submenuComponent = null;
  }

  updateValue(id, value) {
    const item = this.items.find((each) => each.id === id);
    if (item) item.currentValue = value;
  }

  invalidate() {
    this.submenuComponent?.invalidate?.();
  }

  render(width) {
    if (this.submenuComponent) return this.submenuComponent.render(width);
    const lines = this.searchInput ? [...this.searchInput.render(width), ""] : [];
    if (!this.items.length) return [...lines, this.theme.hint("  No settings available"), ...(this.searchInput ? this.#hint(width) : [])];
    if (!this.filteredItems.length) return [...lines, this.theme.hint("  No matching settings"), ...this.#hint(width)];
    return [...lines, ...this.#rows(width), ...this.#description(width), ...this.#hint(width)];
  }

  #rows(width) {
    const [from, to] = visibleRange(this.selectedIndex, this.maxVisible, this.filteredItems.length);
    const column = Math.min(30, Math.max(...this.items.map((item) => visibleWidth(item.label))));
    const rows = this.filteredItems.slice(from, to).map((item, at) => this.#row(item, from + at === this.selectedIndex, width, column));
    const isWhole = from === 0 && to === this.filteredItems.length;
    const place = `  (${this.selectedIndex + 1}/${this.filteredItems.length})`;
    return isWhole ? rows : [...rows, this.theme.hint(truncateToWidth(place, width - 2, ""))];
  }

  #row(item, isSelected, width, column) {
    const prefix = isSelected ? this.theme.cursor : "  ";
    const label = item.label + " ".repeat(Math.max(0, column - visibleWidth(item.label)));
    const room = width - visibleWidth(prefix) - column - 4;
    const value = this.theme.value(truncateToWidth(item.currentValue, room, ""), isSelected);
    return truncateToWidth(prefix + this.theme.label(label, isSelected) + "  " + value, width);
  }

  #description(width) {
    const text = this.filteredItems[this.selectedIndex]?.description;
    return text ? ["", ...wrapTextWithAnsi(text, width - 4).map((line) => this.theme.description(`  ${line}`))] : [];
  }

  #hint(width) {
    const keys = "Enter/Space to change · Esc to cancel";
    return ["", truncateToWidth(this.theme.hint(this.searchInput ? `  Type to search · ${keys}` : `  ${keys}`), width)];
  }

  handleInput(data) {
    if (this.submenuComponent) return void this.submenuComponent.handleInput?.(data);
    const keys = getKeybindings();
    const count = this.filteredItems.length;
    if (keys.matches(data, "tui.select.up")) this.selectedIndex = count ? (this.selectedIndex - 1 + count) % count : 0;
    else if (keys.matches(data, "tui.select.down")) this.selectedIndex = count ? (this.selectedIndex + 1) % count : 0;
    else if (keys.matches(data, "tui.select.confirm") || data === " ") this.#activate();
    else if (keys.matches(data, "tui.select.cancel")) this.onCancel();
    else if (this.searchInput) this.#search(data);
    return undefined;
  }

  #activate() {
    const item = this.filteredItems[this.selectedIndex];
    if (item?.submenu) {
      this.submenuComponent = item.submenu(item.currentValue, (value) => this.#choose(item, value));
    } else if (item?.values?.length) {
      this.#choose(item, item.values[(item.values.indexOf(item.currentValue) + 1) % item.values.length]);
    }
  }

  #choose(item, value) {
    this.submenuComponent = null;
    if (value === undefined) return;
    item.currentValue = value;
    this.onChange(item.id, value);
  }

  #search(data) {
    const typed = data.replaceAll(" ", "");
    if (!typed) return;
    this.searchInput.handleInput(typed);
    this.filteredItems = fuzzyFilter(this.items, this.searchInput.getValue(), (item) => item.label);
    this.selectedIndex = 0;
  }
}
