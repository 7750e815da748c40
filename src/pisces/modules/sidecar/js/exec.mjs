// pi.exec: a program without a shell; what it said, and how it ended.
import { spawn } from "node:child_process";

const MOST_KEPT = 16 << 20;

export function exec(command, args = [], { cwd, timeout, signal, env } = {}) {
  return new Promise((resolve) => {
    const said = { stdout: [], stderr: [] };
    let kept = 0;
    let killed = false;
    let timer;
    const child = spawn(command, args, { cwd, env: env ?? process.env, stdio: ["ignore", "pipe", "pipe"] });
    const end = () => {
      killed = true;
      child.kill("SIGTERM");
      setTimeout(() => child.kill("SIGKILL"), 5000).unref?.();
    };
    const finish = (code) => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      const text = (name) => Buffer.concat(said[name]).toString("utf8");
      resolve({ stdout: text("stdout"), stderr: text("stderr"), code, killed });
    };
    for (const name of ["stdout", "stderr"]) {
      child[name].on("data", (chunk) => {
        kept += chunk.length;
        if (kept <= MOST_KEPT) said[name].push(chunk);
      });
    }
    child.on("error", (error) => {
      said.stderr.push(Buffer.from(`${error.message}\n`));
      finish(127);
    });
    child.on("close", (code) => finish(code ?? 1));
    if (timeout > 0) timer = setTimeout(end, timeout);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}
