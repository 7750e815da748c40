// Where the agent keeps its things, and which shell runs commands.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { state } from "../host_link.mjs";

export const VERSION = "1.5.0";
export const APP_NAME = "pisces";
export const CONFIG_DIR_NAME = ".pisces";

const expanded = (path) => path.replace(/^~(?=$|[\\/])/, homedir());

/** The user's folder for extensions, skills and settings; `PI_CODING_AGENT_DIR` moves it. */
export const getAgentDir = () => expanded(process.env.PI_CODING_AGENT_DIR || state().agentDir || join(homedir(), CONFIG_DIR_NAME, "agent"));

const below = (...parts) => () => join(getAgentDir(), ...parts);
export const getSettingsPath = below("settings.json");
export const getModelsPath = below("models.json");
export const getAuthPath = below("auth.json");
export const getSessionsDir = below("sessions");
export const getPromptsDir = below("prompts");
export const getToolsDir = below("tools");
export const getBinDir = below("bin");
export const getCustomThemesDir = below("themes");

export const getPackageDir = () => dirname(dirname(fileURLToPath(import.meta.url)));
export const getReadmePath = () => join(getPackageDir(), "README.md");
export const getDocsPath = () => join(getPackageDir(), "docs");
export const getExamplesPath = () => join(getPackageDir(), "examples");

export function getShellConfig(shellPath) {
  if (shellPath) return { shell: shellPath, args: ["-c"] };
  if (process.platform === "win32") return { shell: process.env.COMSPEC ?? "cmd.exe", args: ["/d", "/s", "/c"] };
  return { shell: existsSync("/bin/bash") ? "/bin/bash" : "sh", args: ["-c"] };
}
