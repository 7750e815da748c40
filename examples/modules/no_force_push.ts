/**
 * Never lets the agent force-push. Written for pi and omp; runs here as it is.
 *
 * pisces modules test no_force_push.ts --event 'tool_call={"tool": "bash", "input": {"command": "git push -f"}}'
 */
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI) {
	pi.on("tool_call", async (event, ctx) => {
		const command = String((event.input as { command?: string }).command ?? "");
		if (event.toolName !== "bash" || !/git\s+push\s.*(-f\b|--force\b)/.test(command)) return undefined;
		ctx.ui.notify(`kept the agent from: ${command}`, "warning");
		return { block: true, reason: "force-pushing is not allowed here" };
	});
}
