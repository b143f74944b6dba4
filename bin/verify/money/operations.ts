import { collections, type StoredCollection } from '#lib/cash/collection/record.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { recordKey } from '#lib/table/keys.ts';
import type { Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import type { MoneyEntry } from '../frame/entries.ts';
import { faultUnless, matchesDocument } from '../frame/ledger.ts';

/** Postings that are their own documents, by id. */
type Manual = ReadonlyMap<number, MoneyEntry>;

type Fault = string | undefined;

/**
 * Checks manual cash operations. Incomes, expenses, conversions and moves are their own documents, and must
 * match their reversals and counterparts.
 */
export async function checkOperations(books: Books): Promise<void> {
  await checkCollections(books);
  const manual = new Map(
    books.postings
      .withoutDocument()
      .filter(([, { source_type }]) => FAULTS[source_type])
      .map(([id, posting]) => [Number(id), posting]),
  );
  for (const [id, posting] of manual) {
    books.postings.tie(id);
    books.count('operations at desks');
    const fault = FAULTS[posting.source_type]?.(id, posting, manual);
    const subject = { book: 'operations', noun: 'posting', type: POSTING, id };
    books.reportRecord(subject, fault ? [fault] : []);
  }
}

const FAULTS: Readonly<Record<string, (id: number, posting: MoneyEntry, manual: Manual) => Fault>> = {
  reason: reversalFault,
  conversion: sidesFault,
  transfer: sidesFault,
  tender: sidesFault,
};

/** Returns the fault of a posting that is not its reversal's, or not its own reversal's. */
export function reversalFault(id: number, posting: MoneyEntry, manual: Manual): Fault {
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

function sidesFault(id: number, posting: MoneyEntry, manual: Manual): Fault {
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
  if (posting.source_type === 'tender') {
    const isOtherType = other.payment_type !== posting.payment_type && other.currency === posting.currency;
    const isWhole = isOneDesk && isOtherType && other.amount === posting.amount;
    return isWhole ? undefined : 'is no change of the payment type at one desk';
  }
  const isOtherCurrency = other.payment_type === posting.payment_type && other.currency !== posting.currency;
  return isOneDesk && isOtherCurrency ? undefined : 'is no conversion of one desk';
}

function otherSideOf({ source_data }: MoneyEntry): number | undefined {
  const id = 'transfer_id' in source_data ? source_data['transfer_id'] : undefined;
  return typeof id === 'number' ? id : undefined;
}

function isSameMoney(a: MoneyEntry, b: MoneyEntry): boolean {
  return a.payment_type === b.payment_type && a.currency === b.currency && a.amount === b.amount;
}

/** Checks every collection, and ties it to its postings, which must have its status. */
async function checkCollections(books: Books): Promise<void> {
  for await (const collection of everyOf(books.tenant, collections)) {
    const { id, cashbox_id, main_cashbox_id, status, posting_ids, received_ids } = collection;
    const { difference_ids = [] } = collection;
    books.count('collections');
    const keys = [...posting_ids, ...received_ids, ...difference_ids].map((each) =>
      recordKey(POSTING, books.tenant, each),
    );
    const faults = tieSide(books, collection, posting_ids, { type: 'outcome', cashbox_id, status });
    const came = { type: 'income', cashbox_id: main_cashbox_id, status } as const;
    if (status === 'completed') faults.push(...tieSide(books, collection, received_ids, came));
    faults.push(...tieDifferences(books, collection));
    const subject = { book: 'operations', noun: 'collection', type: collections.type, id };
    books.reportRecord(subject, faults, keys);
  }
}

function tieSide(
  { postings }: Books,
  { id, items }: StoredCollection,
  ids: readonly number[],
  side: Pick<MoneyEntry, 'type' | 'cashbox_id' | 'status'>,
): string[] {
  const found = ids.map((posting) => postings.tie(posting));
  const isSame =
    ids.length === items.length &&
    items.every(({ payment_type, currency, amount }, index) => {
      const source = { source_type: 'collection', source_id: id } as const;
      return matchesDocument(found[index], { ...side, ...source, payment_type, currency, amount });
    });
  return faultUnless(isSame, `its ${side.type} is not what its postings say: ${JSON.stringify(found)}`);
}

/** Ties the differences of a collection to their postings at the main desk. */
function tieDifferences(
  { postings }: Books,
  { id: source_id, main_cashbox_id: cashbox_id, difference_ids = [], differences = [] }: StoredCollection,
): string[] {
  const found = difference_ids.map((posting) => postings.tie(posting));
  const source = {
    source_type: 'collection_difference',
    source_id,
    cashbox_id,
    status: 'completed',
  } as const;
  const isSame =
    found.length === differences.length &&
    differences.every(({ amount, ...kind }, index) => {
      const type = amount < 0 ? 'outcome' : 'income';
      return matchesDocument(found[index], { ...source, ...kind, type, amount: Math.abs(amount) });
    });
  return faultUnless(isSame, `its differences are not what its postings say: ${JSON.stringify(found)}`);
}
