import { errorSentence } from './cli/error-sentence.ts';
import { main, print, requireOption, TEXT } from './cli/main.ts';
import { requirePassword, smoke } from './smoke/round.ts';

/*
 * Tries a service that runs: an administrator signs in, and a sandbox company receives, sells and takes back
 * goods, until its books are at zero again. Ends with 1 if anything is not as it should be.
 */

const USAGE =
  'SMOKE_PASSWORD=… npm run smoke -- --address <url> [--username <administrator>]\n' +
  'The administrator may make companies and their users, and act as them; without a name it is "admin".';

const OPTIONS = { address: TEXT, username: { ...TEXT, default: 'admin' } } as const;

await main(USAGE, { options: OPTIONS }, async ({ values: { username, ...values } }) => {
  const address = requireOption(values.address?.replace(/\/$/, ''), 'Which address?');
  const password = requirePassword();
  let isReached = false;
  const tell = (line: string) => {
    isReached = true;
    print(line);
  };
  await smoke({ address, username, password }, tell).catch((error: unknown) => {
    const left =
      isReached || !isUnreachable(error) ? '\nThe next round ends what this one left in the sandbox.' : '';
    throw new Error(`Not well: ${errorSentence(error)}${left}`);
  });
});

/** Tells whether nobody has answered: the error is none of the service's, but of the way there. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message === 'fetch failed' || isUnreachable(error.cause);
}
