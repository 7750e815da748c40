/**
 * A tool in TypeScript: counts words and lines. Runs in pi, in omp, and here.
 *
 * pisces modules test word_count.ts --tool 'word_count={"text": "one two"}'
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { Type } from "typebox";

export default function (pi: ExtensionAPI) {
	pi.registerTool({
		name: "word_count",
		label: "Word count",
		description: "Counts the words and lines of a text",
		parameters: Type.Object({ text: Type.String({ description: "any text" }) }),
		async execute(_id, { text }) {
			const counted = { words: text.split(/\s+/).filter(Boolean).length, lines: text.split("\n").length };
			return {
				content: [{ type: "text", text: `${counted.words} words, ${counted.lines} lines` }],
				details: counted,
			};
		},
	});
}
