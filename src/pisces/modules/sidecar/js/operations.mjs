// pi lets a handler of `user_bash` bring its own way to run a command. It runs here, and its output is the result.

const MOST_KEPT = 1 << 20;

export async function collected(operations, { command, cwd }, signal) {
  const chunks = [];
  let kept = 0;
  const onData = (chunk) => {
    const bytes = Buffer.from(chunk);
    kept += bytes.length;
    if (kept <= MOST_KEPT) chunks.push(bytes);
  };
  const { exitCode } = await operations.exec(command, cwd, { onData, signal });
  return { output: Buffer.concat(chunks).toString("utf8"), exitCode: exitCode ?? undefined, cancelled: signal.aborted, truncated: kept > MOST_KEPT };
}
