/**
 * `/mood` asks how you are and keeps the answer: a dialog, a status and an entry of the transcript, in TypeScript.
 *
 * pisces modules test mood.ts --answer great --command /mood
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
	pi.on("session_start", async (_event, ctx) => {
		const kept = ctx.sessionManager.getEntries().filter((entry) => entry.type === "custom" && entry.customType === "mood");
		ctx.ui.setStatus("mood", kept.length ? `asked ${kept.length} times` : "never asked");
	});

	pi.registerCommand("mood", {
		description: "Asks how you are",
		handler: async (_args, ctx) => {
			const mood = await ctx.ui.select("How are you?", ["great", "fine", "tired"]);
			if (!mood) return;
			pi.appendEntry("mood", { mood });
			ctx.ui.setStatus("mood", mood);
		},
	});
}
