import { enter } from '../program/person.ts';
import { sellAndReturn } from './round.ts';
import { enterSandbox, type Tried } from './sandbox.ts';
import { newStopwatch } from './stopwatch.ts';

/**
 * Signs in, and has a sandbox company receive, sell and take back goods, until its books are at zero again.
 * Tells each step; throws at the first that is not as it should be.
 */
export async function smoke({ address, username, password }: Tried, say: (line: string) => void) {
  const timed = newStopwatch(say);
  const admin = await timed('signs in', () => enter(address, username, password));
  await sellAndReturn(await enterSandbox({ address, username }, admin, timed), timed);
  say('All is well; the sandbox has nothing on its shelves and nothing in its desk.');
}
