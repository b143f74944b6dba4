import { inspect } from 'node:util';
import type { Violation } from './audit.ts';
import type { Outcome } from './family.ts';
import type { Leftover } from './leftovers.ts';

/** Longer than any call and any worker's turn: what is older was left by what died, and met by nobody since. */
const OLD_MS = 5 * 60_000;

/** Of so many the history is told, and of that so much: where one thing is wrong, much is. */
const MOST_TOLD = 20;
const MOST_LINES = 300;

/** A family's outcome in words, with the history of the records concerned. */
export async function tellFamily(familyId: number, { counts, violations }: Outcome): Promise<string> {
  const counted = [...counts].map(([what, count]) => `${count} ${what}`).join(', ') || 'nothing yet';
  const verdict = violations.length === 0 ? 'all add up' : `${violations.length} violations`;
  const told = await Promise.all(violations.slice(0, MOST_TOLD).map(tellViolation));
  const rest = violations.slice(MOST_TOLD).map(sentenceOf);
  return [`Family ${familyId}: ${verdict}. ${counted}.`, ...told, ...rest].join('\n');
}

async function tellViolation(violation: Violation): Promise<string> {
  const history = await violation.history();
  const lines = history.slice(-MOST_LINES).map((each) => `    ${inspect(each, LAYOUT)}`);
  const earlier = history.length > MOST_LINES ? [`    … ${history.length - MOST_LINES} before`] : [];
  return [sentenceOf(violation), ...earlier, ...lines].join('\n');
}

function sentenceOf({ book, subject, what }: Violation): string {
  return `  ${book}: ${subject}: ${what}`;
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
