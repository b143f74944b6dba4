import { inspect } from 'node:util';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { dynamo, type Item, tableName } from '#lib/table/client.ts';
import { LOCK, lockOf } from '#lib/table/items.ts';
import { isStanding, ownerStateOf } from '#lib/table/journal/standing-lock.ts';
import { readHeader } from '#lib/table/journal/store.ts';
import { keyOfItem } from '#lib/table/keys.ts';
import type { Findings, Violation } from './frame/books.ts';

/**
 * Longer than any call and any worker's turn: an older transaction was left by a process that died, and
 * nobody has met it since.
 */
const OLD_MS = 5 * 60_000;

/** The number of faults whose history is told, and its length: if one thing is wrong, much is. */
const MAX_TOLD = 20;
const MAX_LINES = 300;

/** Tells a family's outcome in words, with the history of the records concerned. */
export async function printFamily(familyId: number, { counts, violations }: Findings): Promise<string> {
  const counted = [...counts].map(([what, count]) => `${count} ${what}`).join(', ') || 'nothing yet';
  const verdict = violations.length === 0 ? 'everything adds up' : `${violations.length} violations`;
  const told = await Promise.all(violations.slice(0, MAX_TOLD).map(tellViolation));
  const rest = violations.slice(MAX_TOLD).map(sentenceOf);
  return [`Family ${familyId}: ${verdict}. ${counted}.`, ...told, ...rest].join('\n');
}

async function tellViolation(violation: Violation): Promise<string> {
  const history = await violation.history();
  const lines = history.slice(-MAX_LINES).map((each) => `    ${inspect(each, LAYOUT)}`);
  const earlier = history.length > MAX_LINES ? [`    … ${history.length - MAX_LINES} earlier`] : [];
  return [sentenceOf(violation), ...earlier, ...lines].join('\n');
}

function sentenceOf({ book, subject, what }: Violation): string {
  const remedy = book === 'lists' ? ' (docs/operate.md, "Build list indexes anew")' : '';
  return `  ${book}: ${subject}: ${what}${remedy}`;
}

const LAYOUT = { depth: 6, breakLength: Number.POSITIVE_INFINITY, maxArrayLength: 500 };

/** Tells in words what large transactions hold: those under way, and old ones that nobody has met since. */
export function printPendingJournals(
  left: Awaited<ReturnType<typeof pendingJournals>>,
  at: number,
): string[] {
  return left.map(({ id, state = 'without a header', items }) => {
    const [first] = items;
    const held = `${items.length} items, ${first?.pk} ${first?.sk} among them`;
    // A count lasts as long as people count, and says nothing of when it began.
    if (isStanding(id)) return `Standing: a count ${state} holds ${held} (${id}).`;
    const age = at - Number(id.split('-')[0]);
    const when = `${Math.round(age / 1000)} s old`;
    const kind = age > OLD_MS ? 'Left over' : 'Under way';
    return `${kind}: a large transaction ${state}, ${when}, holds ${held} (${id}).`;
  });
}

/**
 * Finds the large transactions that still hold items, of all families. They are no fault, as readers see
 * through them and writers end them. It scans the table.
 */
export async function pendingJournals() {
  const locked: Item[] = [];
  const names = { '#pk': 'pk', '#sk': 'sk', '#mark': LOCK };
  const scan = {
    TableName: tableName(),
    FilterExpression: 'attribute_exists(#mark)',
    ProjectionExpression: '#pk, #sk, #mark',
    ExpressionAttributeNames: names,
    ConsistentRead: true,
  };
  for await (const { Items = [] } of paginateScan({ client: dynamo }, scan)) locked.push(...Items);
  const held = Map.groupBy(locked, (item) => lockOf(item) ?? '');
  return Promise.all(
    [...held].map(async ([id, items]) => {
      // `preparing`, `committed` …; undefined if it is gone, which should not be.
      const state = isStanding(id) ? await ownerStateOf(id) : (await readHeader(id))?.state;
      return { id, items: items.map(keyOfItem), state };
    }),
  );
}
