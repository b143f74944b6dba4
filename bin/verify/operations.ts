import { collections, type StoredCollection } from '#lib/cash/collection/record.ts';
import { TRANSFER } from '#lib/cash/transfer/record.ts';
import { vouched } from '#lib/records/stored.ts';
import { partition, recordKey } from '#lib/table/keys.ts';
import { walk } from '#lib/table/read/walk.ts';
import { type Audit, itemsAt } from './audit.ts';
import type { Transfer } from './posts.ts';
import { addTo } from './sums.ts';

/** Movements that are their own documents, by id. */
type Manual = ReadonlyMap<number, Transfer>;

/**
 * Checks what is moved by hand at desks. Every collection claims its transfers, which must be in its state.
 * Incomes, expenses, conversions and moves are their own documents, and agree with their reversals and other
 * sides.
 */
export async function checkOperations(audit: Audit): Promise<void> {
  const { home, transfers, violations } = audit;
  for await (const items of walk(partition(collections.type, home))) {
    for (const item of items) checkCollection(audit, vouched(collections.schema, item));
  }
  const manual = new Map(
    [...transfers.unclaimed()].flatMap(([id, transfer]) =>
      FAULTS[transfer.source_type] ? [[Number(id), transfer] as const] : [],
    ),
  );
  for (const [id, transfer] of manual) {
    transfers.claim(String(id));
    addTo(audit.counts, 'operations at desks', 1);
    const what = FAULTS[transfer.source_type]?.(id, transfer, manual);
    const history = itemsAt(recordKey(TRANSFER, home, id));
    if (what) violations.push({ book: 'operations', subject: `transfer ${id}`, what, history });
  }
}

const FAULTS: Readonly<
  Record<string, (id: number, transfer: Transfer, manual: Manual) => string | undefined>
> = { reason: reversalFault, conversion: sidesFault, transfer: sidesFault };

function reversalFault(id: number, transfer: Transfer, manual: Manual): string | undefined {
  const { reversal_id, reversal_of_id, is_returned = false } = transfer;
  const otherId = reversal_id ?? reversal_of_id;
  const hasReversal = typeof reversal_id === 'number';
  if (is_returned && !hasReversal) return 'says that it is returned, and names no reversal';
  if (typeof otherId !== 'number') return undefined;
  const other = manual.get(otherId);
  const isNamed = other?.reversal_id === id || other?.reversal_of_id === id;
  const counts = transfer.status === 'completed' && other?.status === 'completed';
  const isSame = other?.cashbox_id === transfer.cashbox_id && isSameMoney(other, transfer);
  if (isNamed && counts && isSame && other.type !== transfer.type) return undefined;
  return `and its reversal are not of each other: ${JSON.stringify(other)}`;
}

function sidesFault(id: number, transfer: Transfer, manual: Manual): string | undefined {
  const otherId = otherSideOf(transfer);
  const other = manual.get(otherId ?? 0);
  const isPaired =
    other !== undefined &&
    otherSideOf(other) === id &&
    other.source_type === transfer.source_type &&
    other.source_id === transfer.source_id &&
    [id, otherId].includes(transfer.source_id) &&
    (transfer.type === 'outcome') === (transfer.source_id === id) &&
    other.type !== transfer.type &&
    other.status === transfer.status;
  if (!isPaired) return `has no other side: ${JSON.stringify(other)}`;
  const isOneDesk = other.cashbox_id === transfer.cashbox_id;
  if (transfer.source_type === 'transfer') {
    return isOneDesk || !isSameMoney(other, transfer) ? 'brings other money than it takes' : undefined;
  }
  const isOtherCurrency =
    other.payment_type === transfer.payment_type && other.currency !== transfer.currency;
  return isOneDesk && isOtherCurrency ? undefined : 'is no conversion of one desk';
}

function otherSideOf({ source_data }: Transfer): number | undefined {
  const id = 'transfer_id' in source_data ? source_data['transfer_id'] : undefined;
  return typeof id === 'number' ? id : undefined;
}

function isSameMoney(a: Transfer, b: Transfer): boolean {
  return a.payment_type === b.payment_type && a.currency === b.currency && a.amount === b.amount;
}

function checkCollection(audit: Audit, collection: StoredCollection): void {
  const { id, cashbox_id, main_cashbox_id, status, transfer_ids, received_ids } = collection;
  addTo(audit.counts, 'collections', 1);
  const faults = [
    ...claimFaults(audit, collection, transfer_ids, { type: 'outcome', cashbox_id, status }),
    ...(status === 'completed'
      ? claimFaults(audit, collection, received_ids, {
          type: 'income',
          cashbox_id: main_cashbox_id,
          status: 'completed',
        })
      : []),
  ];
  const keys = [...transfer_ids, ...received_ids].map((transfer) =>
    recordKey(TRANSFER, audit.home, transfer),
  );
  const history = itemsAt(recordKey(collections.type, audit.home, id), ...keys);
  for (const what of faults) {
    audit.violations.push({ book: 'operations', subject: `collection ${id}`, what, history });
  }
}

function claimFaults(
  { transfers }: Audit,
  { id, items }: StoredCollection,
  ids: readonly number[],
  side: Pick<Transfer, 'type' | 'cashbox_id' | 'status'>,
): string[] {
  const claimed = ids.map((transfer) => transfers.claim(String(transfer)));
  const isSame =
    ids.length === items.length &&
    items.every((item, index) => {
      const transfer = claimed[index];
      const isItsOwn = transfer?.source_type === 'collection' && transfer.source_id === id;
      const isOnSide =
        transfer?.type === side.type &&
        transfer.cashbox_id === side.cashbox_id &&
        transfer.status === side.status;
      const { payment_type, currency, amount } = item;
      const isMoney =
        transfer?.payment_type === payment_type &&
        transfer.currency === currency &&
        transfer.amount === amount;
      return isItsOwn && isOnSide && isMoney;
    });
  return isSame ? [] : [`its ${side.type} is not what its transfers say: ${JSON.stringify(claimed)}`];
}
