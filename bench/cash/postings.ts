import { indexLoadedItems, loadYear } from '#bench/support/write-items.ts';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { deskPostings, type StoredPosting } from '#lib/cash/posting/record.ts';
import { sourceOf } from '#lib/records/stored.ts';

/** One posting in this many is a cash operation. */
const MANUAL_IN = 20;

/** Writes a year's postings of some desks, and updates their list indexes. */
export async function loadPostings(
  actor: Staff,
  desks: readonly number[],
  count: number,
  at: number,
): Promise<void> {
  const source = sourceOf(deskPostings, actor.tenant);
  await loadYear(source, count, at, (id, made) => ({
    ...postingOf(actor, id, desks[id % desks.length] ?? 0, made),
    version: 1,
  }));
  await indexLoadedItems(source);
}

function postingOf(actor: Staff, id: number, cashbox_id: number, at: number): StoredPosting {
  const created_at = Math.floor(at);
  const sum = `${(id * 7) % 1_000_000}.00`;
  const source =
    id % MANUAL_IN === 0
      ? ({ source_type: 'reason', source_id: 1, manual_source_id: 1 } as const)
      : ({ source_type: 'sale', source_id: id } as const);
  return {
    id,
    ...source,
    company_id: actor.companyId,
    cashbox_id,
    ...makerOf(actor),
    type: 'income',
    payment_type: 'cash',
    currency: 'uzs',
    amount: 5000_00,
    status: 'completed',
    source_data: [],
    additional: { balances_after: { cash: { uzs: sum }, card: { uzs: '0.00' }, bank: { uzs: '0.00' } } },
    comment: null,
    created_at,
    updated_at: created_at,
  };
}
