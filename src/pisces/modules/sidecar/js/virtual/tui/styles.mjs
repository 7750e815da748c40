// Which colours, attributes and hyperlink are on at a place in a text, so that a wrapped line can open and close them.

const ATTRIBUTES = { 1: 22, 2: 22, 3: 23, 4: 24, 5: 25, 7: 27, 8: 28, 9: 29 };
const HYPERLINK = /^\x1b\]8;([^;]*);(.*?)(\x07|\x1b\\)$/s;

export class Styles {
  constructor() {
    this.clear();
    this.link = null;
  }

  clear() {
    this.attributes = new Set();
    this.foreground = "";
    this.background = "";
  }

  /** Take note of one escape sequence. */
  read(sequence) {
    const hyperlink = HYPERLINK.exec(sequence);
    if (hyperlink) this.link = hyperlink[2] ? { open: sequence, end: hyperlink[3] } : null;
    else if (sequence.startsWith("\x1b[") && sequence.endsWith("m")) this.#readGraphics(sequence.slice(2, -1));
  }

  #readGraphics(parameters) {
    const codes = parameters === "" ? ["0"] : parameters.split(";");
    for (let at = 0; at < codes.length; at++) {
      const code = Number(codes[at]);
      if (code === 38 || code === 48) {
        const length = codes[at + 1] === "2" ? 5 : 3;
        this.#setColour(code === 38, codes.slice(at, at + length).join(";"));
        at += length - 1;
      } else this.#readCode(code);
    }
  }

  #readCode(code) {
    if (code === 0) this.clear();
    else if (code in ATTRIBUTES) this.attributes.add(code);
    else if (code === 21) this.attributes.delete(1);
    else if (code >= 22 && code <= 29) this.#switchOff(code);
    else if ((code >= 30 && code <= 37) || (code >= 90 && code <= 97)) this.#setColour(true, String(code));
    else if ((code >= 40 && code <= 47) || (code >= 100 && code <= 107)) this.#setColour(false, String(code));
    else if (code === 39) this.foreground = "";
    else if (code === 49) this.background = "";
  }

  #switchOff(off) {
    for (const [on, ends] of Object.entries(ATTRIBUTES)) if (ends === off) this.attributes.delete(Number(on));
  }

  #setColour(isForeground, code) {
    if (isForeground) this.foreground = code;
    else this.background = code;
  }

  /** The sequences that switch everything on again, at the beginning of a line. */
  opening() {
    const codes = [...Object.keys(ATTRIBUTES).filter((code) => this.attributes.has(Number(code))), this.foreground, this.background];
    const graphics = codes.filter(Boolean).join(";");
    return (graphics ? `\x1b[${graphics}m` : "") + (this.link?.open ?? "");
  }

  /** What must not run on into the padding at the end of a line: the underline and the link. */
  closing() {
    return (this.attributes.has(4) ? "\x1b[24m" : "") + this.closingLink();
  }

  closingLink() {
    return this.link ? `\x1b]8;;${this.link.end}` : "";
  }
}
