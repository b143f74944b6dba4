import { errorSentence } from './cli/error-sentence.ts';
import { main, print, requireOption, TEXT } from './cli/main.ts';
import { requirePassword, smoke } from './smoke/round.ts';

/*
 * Tests a running service: an administrator signs in, and a sandbox company receives, sells and takes back
 * goods, until its books are at zero again. Exits with 1 on any deviation.
 */

const USAGE =
  'SMOKE_PASSWORD=… npm run smoke -- --address <url> [--username <administrator>]\n' +
  'The administrator may make companies and their users, and act as them; without a name it is "admin".';

const OPTIONS = { address: TEXT, username: { ...TEXT, default: 'admin' } } as const;

await main(USAGE, { options: OPTIONS }, async ({ values: { username, ...values } }) => {
  const address = requireOption(values.address?.replace(/\/$/, ''), 'Which address?');
  const password = requirePassword();
  let isReached = false;
  const log = (line: string) => {
    isReached = true;
    print(line);
  };
  await smoke({ address, username, password }, log).catch((error: unknown) => {
    const left =
      isReached || !isUnreachable(error) ? '\nThe next round ends what this one left in the sandbox.' : '';
    throw new Error(`Not well: ${errorSentence(error)}${left}`);
  });
});

/** Returns whether the service did not respond: the error is in the network, not of the service. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message === 'fetch failed' || isUnreachable(error.cause);
}
