import { inspect } from 'node:util';
import type { Violation } from './audit.ts';
import type { Outcome } from './family.ts';
import type { Leftover } from './leftovers.ts';

/** Longer than any call and any worker's turn: what is older was left by what died, and met by nobody since. */
const OLD_MS = 5 * 60_000;

/** A family's outcome in words, with the history of the records concerned. */
export async function tellFamily(familyId: number, { counts, violations }: Outcome): Promise<string> {
  const counted = [...counts].map(([what, count]) => `${count} ${what}`).join(', ') || 'nothing yet';
  const verdict = violations.length === 0 ? 'all add up' : `${violations.length} violations`;
  const told = await Promise.all(violations.map(tellViolation));
  return [`Family ${familyId}: ${verdict}. ${counted}.`, ...told].join('\n');
}

async function tellViolation({ book, subject, what, history }: Violation): Promise<string> {
  const lines = (await history()).map((each) => `    ${inspect(each, LAYOUT)}`);
  return [`  ${book}: ${subject}: ${what}`, ...lines].join('\n');
}

const LAYOUT = { depth: 6, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 500 };

/** What large transactions hold, in words: those under way, those that are over for long and nobody has met since. */
export function tellLeftovers(leftovers: readonly Leftover[], at: number): string[] {
  return leftovers.map(({ id, state = 'without a header', items }) => {
    const age = at - Number(id.split('-')[0]);
    const when = `${Math.round(age / 1000)} s old`;
    const kind = age > OLD_MS ? 'Left over' : 'Under way';
    const [first] = items;
    return `${kind}: a large transaction ${state}, ${when}, holds ${items.length} items, ${first?.pk} ${first?.sk} among them (${id}).`;
  });
}
