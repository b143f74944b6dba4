import { parseArgs } from 'node:util';
import { signIn } from './demo/client.ts';
import { sellAndReturn } from './smoke/round.ts';
import { enterSandbox } from './smoke/sandbox.ts';
import { newStopwatch } from './smoke/stopwatch.ts';

/*
 * Tries a service that runs: an administrator signs in, and a sandbox company receives, sells and takes back
 * goods, until its books are at zero again. Ends with 1 if anything is not as it should be.
 */

const USAGE =
  'SMOKE_PASSWORD=… npm run smoke -- --address <url> [--username <administrator>]\n' +
  'The administrator may make companies and their users, and act as them; without a name it is "admin".\n';

const { values } = parseArgs({
  options: { address: { type: 'string' }, username: { type: 'string', default: 'admin' } },
});
const address = values.address?.replace(/\/$/, '');
const password = process.env['SMOKE_PASSWORD'];
if (!address || !password) {
  process.stderr.write(USAGE);
  process.exit(1);
}

const timed = newStopwatch((line) => process.stdout.write(`${line}\n`));
try {
  const admin = await timed('signs in', () => signIn(address, values.username, password));
  const sandbox = await enterSandbox(address, admin, timed);
  await sellAndReturn(sandbox, timed);
  process.stdout.write('All is well; the sandbox has nothing on its shelves and nothing in its desk.\n');
} catch (error) {
  process.stderr.write(`Not well: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
