// Stops shell commands that cannot be taken back. Everything else goes on as if there were no hook.
import { readFileSync } from 'node:fs';

const REFUSED = [
  [/\brm\s+(-\w+\s+)*-\w*r\w*\s+(-\S+\s+)*["']?(\/|~|\$HOME)["']?(\s|$)/, 'it removes everything'],
  [/\bgit\s+push\b.*\s(--force|-f)(\s|$)/, 'it rewrites the history of others; use --force-with-lease'],
  [/\bgit\s+(reset\s+--hard|clean\s+-\w*f)/, 'it throws away work that is not committed'],
  [/\b(curl|wget)\b[^|]*\|\s*(sudo\s+)?(ba|z|da)?sh\b/, 'it runs whatever the network answers'],
];

let call = {};
try {
  call = JSON.parse(readFileSync(0, 'utf8'));
} catch (error) {
  console.error(`guard: the input is not JSON: ${error.message}`);
}
const command = String(call.tool_input?.command ?? '');
const reason = REFUSED.find(([pattern]) => pattern.test(command))?.[1];
console.log(JSON.stringify(reason ? { decision: 'deny', reason: `Refused: ${reason}.` } : { decision: 'allow' }));
