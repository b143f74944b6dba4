import { collections, type StoredCollection } from '#lib/cash/collection/record.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { vouched } from '#lib/records/stored.ts';
import { partition, recordKey } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { type Audit, itemsAt } from './audit.ts';
import type { Posting } from './posts.ts';
import { addTo } from './sums.ts';

/** Movements that are their own documents, by id. */
type Manual = ReadonlyMap<number, Posting>;

/**
 * Checks what is moved by hand at desks. Every collection claims its postings, which must be in its state.
 * Incomes, expenses, conversions and moves are their own documents, and agree with their reversals and other
 * sides.
 */
export async function checkOperations(audit: Audit): Promise<void> {
  const { home, postings, violations } = audit;
  for await (const items of walk(partition(collections.type, home))) {
    for (const item of items) checkCollection(audit, vouched(collections.schema, item));
  }
  const manual = new Map(
    [...postings.unclaimed()].flatMap(([id, posting]) =>
      FAULTS[posting.source_type] ? [[Number(id), posting] as const] : [],
    ),
  );
  for (const [id, posting] of manual) {
    postings.claim(String(id));
    addTo(audit.counts, 'operations at desks', 1);
    const what = FAULTS[posting.source_type]?.(id, posting, manual);
    const history = itemsAt(recordKey(POSTING, home, id));
    if (what) violations.push({ book: 'operations', subject: `posting ${id}`, what, history });
  }
}

const FAULTS: Readonly<Record<string, (id: number, posting: Posting, manual: Manual) => string | undefined>> =
  { reason: reversalFault, conversion: sidesFault, transfer: sidesFault };

function reversalFault(id: number, posting: Posting, manual: Manual): string | undefined {
  const { reversal_id, reversal_of_id, is_returned = false } = posting;
  const otherId = reversal_id ?? reversal_of_id;
  const hasReversal = typeof reversal_id === 'number';
  if (is_returned && !hasReversal) return 'says that it is returned, and names no reversal';
  if (typeof otherId !== 'number') return undefined;
  const other = manual.get(otherId);
  const isNamed = other?.reversal_id === id || other?.reversal_of_id === id;
  const counts = posting.status === 'completed' && other?.status === 'completed';
  const isSame = other?.cashbox_id === posting.cashbox_id && isSameMoney(other, posting);
  if (isNamed && counts && isSame && other.type !== posting.type) return undefined;
  return `and its reversal are not of each other: ${JSON.stringify(other)}`;
}

function sidesFault(id: number, posting: Posting, manual: Manual): string | undefined {
  const otherId = otherSideOf(posting);
  const other = manual.get(otherId ?? 0);
  const isPaired =
    other !== undefined &&
    otherSideOf(other) === id &&
    other.source_type === posting.source_type &&
    other.source_id === posting.source_id &&
    [id, otherId].includes(posting.source_id) &&
    (posting.type === 'outcome') === (posting.source_id === id) &&
    other.type !== posting.type &&
    other.status === posting.status;
  if (!isPaired) return `has no other side: ${JSON.stringify(other)}`;
  const isOneDesk = other.cashbox_id === posting.cashbox_id;
  if (posting.source_type === 'transfer') {
    return isOneDesk || !isSameMoney(other, posting) ? 'brings other money than it takes' : undefined;
  }
  const isOtherCurrency = other.payment_type === posting.payment_type && other.currency !== posting.currency;
  return isOneDesk && isOtherCurrency ? undefined : 'is no conversion of one desk';
}

function otherSideOf({ source_data }: Posting): number | undefined {
  const id = 'transfer_id' in source_data ? source_data['transfer_id'] : undefined;
  return typeof id === 'number' ? id : undefined;
}

function isSameMoney(a: Posting, b: Posting): boolean {
  return a.payment_type === b.payment_type && a.currency === b.currency && a.amount === b.amount;
}

function checkCollection(audit: Audit, collection: StoredCollection): void {
  const { id, cashbox_id, main_cashbox_id, status, posting_ids, received_ids } = collection;
  addTo(audit.counts, 'collections', 1);
  const faults = [
    ...claimFaults(audit, collection, posting_ids, { type: 'outcome', cashbox_id, status }),
    ...(status === 'completed'
      ? claimFaults(audit, collection, received_ids, {
          type: 'income',
          cashbox_id: main_cashbox_id,
          status: 'completed',
        })
      : []),
  ];
  const keys = [...posting_ids, ...received_ids].map((posting) => recordKey(POSTING, audit.home, posting));
  const history = itemsAt(recordKey(collections.type, audit.home, id), ...keys);
  for (const what of faults) {
    audit.violations.push({ book: 'operations', subject: `collection ${id}`, what, history });
  }
}

function claimFaults(
  { postings }: Audit,
  { id, items }: StoredCollection,
  ids: readonly number[],
  side: Pick<Posting, 'type' | 'cashbox_id' | 'status'>,
): string[] {
  const claimed = ids.map((posting) => postings.claim(String(posting)));
  const isSame =
    ids.length === items.length &&
    items.every((item, index) => {
      const posting = claimed[index];
      const isItsOwn = posting?.source_type === 'collection' && posting.source_id === id;
      const isOnSide =
        posting?.type === side.type &&
        posting.cashbox_id === side.cashbox_id &&
        posting.status === side.status;
      const { payment_type, currency, amount } = item;
      const isMoney =
        posting?.payment_type === payment_type && posting.currency === currency && posting.amount === amount;
      return isItsOwn && isOnSide && isMoney;
    });
  return isSame ? [] : [`its ${side.type} is not what its postings say: ${JSON.stringify(claimed)}`];
}
