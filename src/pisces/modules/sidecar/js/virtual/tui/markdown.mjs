// Markdown drawn in the colours of a theme; lines are wrapped and padded to the width.

import { blocks, inline } from "./markdown_text.mjs";
import { applyBackgroundToLine, wrapTextWithAnsi } from "./wrap.mjs";
import { padded, visibleWidth } from "./width.mjs";

export class Markdown {
  constructor(text, paddingX, paddingY, theme, defaultTextStyle = undefined) {
    Object.assign(this, { text, paddingX, paddingY, theme, defaultTextStyle });
    this.invalidate();
  }

  setText(text) {
    this.text = text;
    this.invalidate();
  }

  invalidate() {
    this.drawn = undefined;
  }

  render(width) {
    if (this.drawn?.text !== this.text || this.drawn?.width !== width) {
      this.drawn = { text: this.text, width, lines: this.#lines(width) };
    }
    return this.drawn.lines;
  }

  #lines(width) {
    if (!this.text?.trim()) return [];
    const inner = Math.max(1, width - 2 * this.paddingX);
    const drawing = new Drawing(this.theme, inner, (text) => this.#styled(text));
    const lines = drawing.blocks(blocks(this.text.replaceAll("\t", "   "))).flatMap((line) => wrapTextWithAnsi(line, inner));
    const margin = " ".repeat(this.paddingX);
    const around = Array.from({ length: this.paddingY }, () => "");
    const background = this.defaultTextStyle?.bgColor;
    return [...around, ...lines.map((line) => margin + line + margin), ...around].map((line) =>
      background ? applyBackgroundToLine(line, width, background) : padded(line, width),
    );
  }

  #styled(text) {
    const style = this.defaultTextStyle;
    if (!style) return text;
    let styled = style.color ? style.color(text) : text;
    for (const name of ["bold", "italic", "strikethrough", "underline"]) if (style[name]) styled = this.theme[name](styled);
    return styled;
  }
}

class Drawing {
  constructor(theme, width, style) {
    Object.assign(this, { theme, width, style });
  }

  /** The lines of blocks one below the other, with an empty line where the text has one or the block wants one. */
  blocks(list) {
    const lines = [];
    list.forEach((block, at) => {
      if (block.kind === "space") {
        if (lines.length && lines.at(-1) !== "") lines.push("");
        return;
      }
      lines.push(...this.block(block));
      const next = list[at + 1];
      if (next && next.kind !== "space" && !(block.kind === "paragraph" && next.kind === "list") && block.kind !== "list") lines.push("");
    });
    while (lines.at(-1) === "") lines.pop();
    return lines;
  }

  block(block) {
    if (block.kind === "heading") return [this.heading(block)];
    if (block.kind === "rule") return [this.theme.hr("─".repeat(Math.min(this.width, 80)))];
    if (block.kind === "code") return this.code(block);
    if (block.kind === "quote") return this.quote(block);
    if (block.kind === "list") return this.list(block);
    if (block.kind === "table") return this.table(block);
    return this.inline(inline(block.text), this.style).split("\n").map((line) => line.trimEnd());
  }

  heading({ depth, text }) {
    const style = (part) => this.theme.heading(this.theme.bold(depth === 1 ? this.theme.underline(part) : part));
    return (depth > 2 ? style(`${"#".repeat(depth)} `) : "") + this.inline(inline(text), style);
  }

  code({ language, text }) {
    const indent = this.theme.codeBlockIndent ?? "  ";
    const lines = this.theme.highlightCode?.(text, language) ?? text.split("\n").map((line) => this.theme.codeBlock(line));
    return [this.theme.codeBlockBorder(`\`\`\`${language}`), ...lines.map((line) => indent + line), this.theme.codeBlockBorder("```")];
  }

  quote({ blocks: inner }) {
    const style = (text) => this.theme.quote(this.theme.italic(text));
    const drawing = new Drawing(this.theme, Math.max(1, this.width - 2), style);
    const lines = drawing.blocks(inner).flatMap((line) => wrapTextWithAnsi(line, drawing.width));
    return lines.map((line) => this.theme.quoteBorder("│ ") + line);
  }

  list({ isOrdered, isLoose, start, items }, depth = 0) {
    const indent = "    ".repeat(depth);
    return items.flatMap((item, at) => {
      const bullet = (isOrdered ? `${start + at}. ` : "- ") + item.task;
      const gap = isLoose && at < items.length - 1 ? [""] : [];
      return [...this.#item(item, bullet, indent, depth), ...gap];
    });
  }

  #item(item, bullet, indent, depth) {
    const hanging = indent + " ".repeat(bullet.length);
    const room = Math.max(1, this.width - hanging.length);
    const lines = [];
    for (const block of item.blocks) {
      if (block.kind === "list") lines.push(...this.list(block, depth + 1));
      else if (block.kind !== "space") lines.push(...this.block(block).flatMap((line) => wrapTextWithAnsi(line, room)).map((line) => hanging + line));
    }
    const first = indent + this.theme.listBullet(bullet);
    if (!lines.length || !lines[0].startsWith(hanging)) return [first, ...lines];
    return [first + lines[0].slice(hanging.length), ...lines.slice(1)];
  }

  table({ header, rows }) {
    const heads = header.map((cell) => this.inline(inline(cell), this.style));
    const body = rows.map((row) => row.map((cell) => this.inline(inline(cell), this.style)));
    const widths = this.#columnWidths([heads, ...body]);
    const rule = (left, middle, right) => left + widths.map((width) => "─".repeat(width + 2)).join(middle) + right;
    const between = rule("├", "┼", "┤");
    const drawn = body.flatMap((row, at) => [...(at ? [between] : []), ...this.#row(row, widths, (cell) => cell)]);
    return [rule("┌", "┬", "┐"), ...this.#row(heads, widths, this.theme.bold), between, ...drawn, rule("└", "┴", "┘")];
  }

  #columnWidths(rows) {
    const natural = rows[0].map((_, column) => Math.max(1, ...rows.map((row) => visibleWidth(row[column]))));
    const room = this.width - 3 * natural.length - 1;
    const widths = [...natural];
    while (widths.reduce((sum, width) => sum + width, 0) > room && Math.max(...widths) > 1) widths[widths.indexOf(Math.max(...widths))] -= 1;
    return widths;
  }

  #row(row, widths, style) {
    const wrapped = row.map((cell, column) => wrapTextWithAnsi(cell, widths[column]));
    const height = Math.max(...wrapped.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) => {
      const texts = wrapped.map((lines, column) => style(padded(lines[line] ?? "", widths[column])));
      return `│ ${texts.join(" │ ")} │`;
    });
  }

  inline(parts, style) {
    return parts.map((part) => this.#part(part, style)).join("");
  }

  #part(part, style) {
    if (part.kind === "text") return part.text.split("\n").map((line) => (line ? style(line) : "")).join("\n");
    if (part.kind === "code") return this.theme.code(part.text);
    if (part.kind === "link") return this.#link(part, style);
    const around = { bold: this.theme.bold, italic: this.theme.italic, strike: this.theme.strikethrough }[part.kind];
    return around(this.inline(part.parts, style));
  }

  #link({ address, parts }, style) {
    const text = this.inline(parts, style);
    const link = this.theme.link(this.theme.underline(text));
    const plain = plainText(parts);
    return plain === address || `mailto:${plain}` === address ? link : link + this.theme.linkUrl(` (${address})`);
  }
}

const plainText = (parts) => parts.map((part) => part.text ?? plainText(part.parts)).join("");
