import { parseArgs } from 'node:util';
import { Misuse, main, print } from './program/main.ts';
import { sentenceFor } from './program/sentence.ts';
import { smoke } from './smoke/smoke.ts';
import { isUnreachable } from './smoke/unreachable.ts';

/*
 * Tries a service that runs: an administrator signs in, and a sandbox company receives, sells and takes back
 * goods, until its books are at zero again. Ends with 1 if anything is not as it should be.
 */

const USAGE =
  'SMOKE_PASSWORD=… npm run smoke -- --address <url> [--username <administrator>]\n' +
  'The administrator may make companies and their users, and act as them; without a name it is "admin".';

await main(USAGE, async () => {
  const { values } = parseArgs({
    options: { address: { type: 'string' }, username: { type: 'string', default: 'admin' } },
  });
  const { username } = values;
  const address = values.address?.replace(/\/$/, '');
  const password = process.env['SMOKE_PASSWORD'];
  if (!address) throw new Misuse('Which address?');
  if (!password) throw new Misuse('Which password has the administrator who tries it?');
  let isReached = false;
  const tell = (line: string) => {
    isReached = true;
    print(line);
  };
  await smoke({ address, username, password }, tell).catch((error: unknown) => {
    const left =
      isReached || !isUnreachable(error) ? '\nThe next round ends what this one left in the sandbox.' : '';
    throw new Error(`Not well: ${sentenceFor(error)}${left}`);
  });
});
