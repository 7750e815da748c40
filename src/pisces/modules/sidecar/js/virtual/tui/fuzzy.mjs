// Fuzzy search: every letter of the query in order; a lower score is a better match. `b1` finds `1b` too, a little worse.

const WORD_START = /[\s\-_./:]/;

export function fuzzyMatch(query, text) {
  const wanted = query.toLowerCase();
  const plain = matched(wanted, text.toLowerCase());
  if (plain.matches) return plain;
  const parts = /^([a-z]+)(\d+)$/.exec(wanted) ?? /^(\d+)([a-z]+)$/.exec(wanted);
  if (!parts) return plain;
  const other = matched(parts[2] + parts[1], text.toLowerCase());
  return other.matches ? { matches: true, score: other.score + 5 } : plain;
}

function matched(query, text) {
  if (!query) return { matches: true, score: 0 };
  let score = 0;
  let last = -1;
  let run = 0;
  for (const letter of query) {
    const at = text.indexOf(letter, last + 1);
    if (at < 0) return { matches: false, score: 0 };
    run = at === last + 1 ? run + 1 : 0;
    score -= run * 5;
    score += !run && last >= 0 ? (at - last - 1) * 2 : 0;
    score -= at === 0 || WORD_START.test(text[at - 1]) ? 10 : 0;
    score += at * 0.1;
    last = at;
  }
  return { matches: true, score: query === text ? score - 100 : score };
}

/** The items in which every word of the query matches, the best first. */
export function fuzzyFilter(items, query, getText) {
  const words = query.trim().split(/[\s/]+/).filter(Boolean);
  if (!words.length) return items;
  return items
    .map((item) => ({ item, results: words.map((word) => fuzzyMatch(word, getText(item))) }))
    .filter(({ results }) => results.every((result) => result.matches))
    .map(({ item, results }) => ({ item, score: results.reduce((sum, result) => sum + result.score, 0) }))
    .sort((first, second) => first.score - second.score)
    .map(({ item }) => item);
}
