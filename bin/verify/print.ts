import { inspect } from 'node:util';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { dynamo, type Item, tableName } from '#lib/table/client.ts';
import { LOCK, lockOf } from '#lib/table/items.ts';
import { isStanding, ownerStateOf } from '#lib/table/journal/standing-lock.ts';
import { readHeader } from '#lib/table/journal/store.ts';
import { keyOfItem } from '#lib/table/keys.ts';
import type { Findings, Violation } from './frame/books.ts';

/**
 * Longer than any request and any worker's run: an older transaction was left by a process that died, and not
 * yet recovered.
 */
const OLD_MS = 5 * 60_000;

/** Faults printed with their history, and its length in lines: one cause yields many faults. */
const MAX_DETAILED = 20;
const MAX_LINES = 300;

/** Formats a family's outcome, with the history of the records concerned. */
export async function printFamily(familyId: number, { counts, violations }: Findings): Promise<string> {
  const counted = [...counts].map(([what, count]) => `${count} ${what}`).join(', ') || 'nothing yet';
  const verdict = violations.length === 0 ? 'everything adds up' : `${violations.length} violations`;
  const detailed = await Promise.all(violations.slice(0, MAX_DETAILED).map(formatViolation));
  const rest = violations.slice(MAX_DETAILED).map(sentenceOf);
  return [`Family ${familyId}: ${verdict}. ${counted}.`, ...detailed, ...rest].join('\n');
}

async function formatViolation(violation: Violation): Promise<string> {
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

/** Formats the pending large transactions: those in progress, and old ones not yet recovered. */
export function printPendingJournals(
  left: Awaited<ReturnType<typeof pendingJournals>>,
  at: number,
): string[] {
  return left.map(({ id, state = 'without a header', items }) => {
    const [first] = items;
    const held = `${items.length} items, ${first?.pk} ${first?.sk} among them`;
    // A stocktake takes as long as the counting; its lock has no start time.
    if (isStanding(id)) return `Standing: a count ${state} holds ${held} (${id}).`;
    const age = at - Number(id.split('-')[0]);
    const when = `${Math.round(age / 1000)} s old`;
    const kind = age > OLD_MS ? 'Left over' : 'Under way';
    return `${kind}: a large transaction ${state}, ${when}, holds ${held} (${id}).`;
  });
}

/**
 * Finds the large transactions that still lock items, of all families. They are no fault, as readers see
 * through them and writers resolve them. Scans the table.
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
      // `preparing`, `committed` …; undefined if it is gone, which is a fault.
      const state = isStanding(id) ? await ownerStateOf(id) : (await readHeader(id))?.state;
      return { id, items: items.map(keyOfItem), state };
    }),
  );
}
