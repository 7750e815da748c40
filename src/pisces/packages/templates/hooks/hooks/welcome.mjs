// Tells the model what it cannot know by itself: the date, and which branch is checked out.
import { execFileSync } from 'node:child_process';

let branch = 'none';
try {
  const options = { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'], timeout: 3000 };
  branch = execFileSync('git', ['branch', '--show-current'], options).trim();
} catch {
  // not a repository, or no git: both are fine
}
const additionalContext = `Today is ${new Date().toDateString()}. Branch: ${branch || 'none'}.`;
console.log(JSON.stringify({ hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext } }));
