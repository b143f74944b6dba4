import { parseArgs } from 'node:util';
import { smoke } from './smoke/smoke.ts';

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

try {
  await smoke({ address, username: values.username, password }, (line) => process.stdout.write(`${line}\n`));
} catch (error) {
  process.stderr.write(`Not well: ${error instanceof Error ? error.message : String(error)}
The next round ends what this one left in the sandbox.\n`);
  process.exitCode = 1;
}
