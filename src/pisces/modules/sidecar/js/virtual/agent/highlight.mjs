// Code in colours, by a few rules that hold for most languages: comments, texts, numbers, keywords, names that are called.

const KEYWORDS = new Set(
  `abstract and as assert async await break case catch class const continue def default defer del delete do elif else enum except export
  extends false final finally fn for from func function global go if impl implements import in include instanceof interface is lambda let
  loop match mod module mut namespace new nil none None not null or package pass private protected pub public raise readonly return
  self static struct super switch template this throw true True False trait try type typeof undefined union unless until use using var
  virtual void where while with yield echo fi then esac done local select insert update create table end begin`.split(/\s+/),
);
const HASH_COMMENTS = new Set("python ruby bash sh shell zsh fish yaml toml perl r dockerfile makefile cmake elixir powershell hcl".split(" "));
const PLAIN = new Set(["markdown", "text", "plaintext", "txt", "", "md"]);

const TEXT = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/;
const NUMBER = /\b0[xXbBoO][\da-fA-F_]+\b|\b\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?\b/;
const WORD = /[A-Za-z_$][\w$]*(?=(\s*\()?)/;

const patternFor = (language) => {
  const comment = HASH_COMMENTS.has(language) ? "#[^\\n]*" : language === "sql" || language === "lua" || language === "haskell" ? "--[^\\n]*" : "//[^\\n]*|/\\*[\\s\\S]*?\\*/";
  return new RegExp(`(${comment})|(${TEXT.source})|(${NUMBER.source})|(${WORD.source})`, "g");
};

/** The lines of the code; `paint(colour, text)` gives each piece its colour. */
export function highlighted(code, language, paint) {
  if (!language || PLAIN.has(language)) return code.split("\n").map((line) => paint("mdCodeBlock", line));
  const painted = (colour, text) => text.split("\n").map((line) => (line ? paint(colour, line) : line)).join("\n");
  return code.replace(patternFor(language), (whole, comment, text, number, word, called) => {
    if (comment) return painted("syntaxComment", whole);
    if (text) return painted("syntaxString", whole);
    if (number) return painted("syntaxNumber", whole);
    if (KEYWORDS.has(word)) return painted("syntaxKeyword", whole);
    if (called) return painted("syntaxFunction", whole);
    return /^[A-Z]/.test(word) ? painted("syntaxType", whole) : whole;
  }).split("\n");
}
