// Trust in a project as extensions read it: decided by the user through the host, never from here.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { state } from "../host_link.mjs";
import { CONFIG_DIR_NAME } from "./places.mjs";

const PROJECT_FOLDERS = [CONFIG_DIR_NAME, ".pi", ".omp", join(".agents", "skills")];

export const hasTrustRequiringProjectResources = (cwd) => PROJECT_FOLDERS.some((folder) => existsSync(join(cwd, folder)));

export class ProjectTrustStore {
  get(cwd) {
    return cwd === state().cwd ? (state().trusted ?? null) : null;
  }

  getEntry(cwd) {
    const decision = this.get(cwd);
    return decision === null ? null : { path: cwd, decision };
  }

  set() {
    throw new Error("`ProjectTrustStore.set` of pi-coding-agent is not available in pisces: the user decides about trust");
  }

  setMany() {
    this.set();
  }
}
