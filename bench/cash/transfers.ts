import { deskTransfers } from '#lib/cash/transfer/record.ts';
import { sourceOf } from '#lib/records/documents.ts';
import type { Item } from '#lib/table/client.ts';
import { type Home, recordKey } from '#lib/table/keys.ts';
import { foldIndexes } from '#lib/table/list-index/fold/fold.ts';
import { nextId } from '#lib/table/sequences.ts';
import { pieces } from '#lib/values/pieces.ts';
import { writeItems } from '../write-items.ts';

const STEP = 10_000;
const YEAR_MS = 365 * 86_400_000;

/** One transfer in so many is a manual movement. */
const MANUAL_IN = 20;

/** Writes a year's transfers of some desks, and folds them into the indexes of their lists. */
export async function loadTransfers(
  home: Home,
  desks: readonly number[],
  count: number,
  at: number,
): Promise<void> {
  const source = sourceOf(deskTransfers, home);
  const first = await nextId(source.type, home, count);
  const ids = Array.from({ length: count }, (_, index) => first + index);
  for (const some of pieces(ids, STEP)) {
    await writeItems(
      some.map((id) => ({
        ...recordKey(source.type, home, id),
        ...transferOf(id, desks[id % desks.length] ?? 0, at - ((first + count - id) * YEAR_MS) / count),
      })),
    );
  }
  for (let isMore = true; isMore; ) isMore = (await foldIndexes(source, Date.now()))?.isMore ?? true;
}

function transferOf(id: number, cashbox_id: number, at: number): Item {
  const created_at = Math.floor(at);
  const sum = `${(id * 7) % 1_000_000}.00`;
  const source =
    id % MANUAL_IN === 0
      ? { source_type: 'reason', source_id: 1, manual_source_id: 1 }
      : { source_type: 'sale', source_id: id };
  return {
    id,
    ...source,
    company_id: 1,
    cashbox_id,
    creator_id: 2,
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
    version: 1,
  };
}
