import { sourceOf } from '#lib/records/stored.ts';
import { insertionNotice } from '#lib/table/change/index-notice.ts';
import { putNew } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { withDeadline } from '#lib/table/deadline.ts';
import { familyTenant, recordKey, type Source } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { type Sale, sales } from '#lib/trade/sale/record.ts';
import { loadYear } from './write-items.ts';

const CALL_MS = 29_000;
const STATUSES = ['completed', 'completed', 'partial_returned', 'full_returned'] as const;

/** Returns the sales of a family, with their indexes; some are soft-deleted. */
export function salesOf(familyId: number): Source {
  const indexes = ['is_deleted', ...(sales.indexes ?? [])];
  return sourceOf({ ...sales, indexes }, familyTenant(familyId));
}

/**
 * Writes the headers of a year's sales, the last one dated now, and nothing else, so that no worker is
 * notified.
 */
export function loadSales(source: Source, count: number, now: number): Promise<void> {
  return loadYear(source, count, now, headerOf);
}

/**
 * Creates one more sale's header in a context of its own: its id is allocated, and it is written in a
 * transaction, or rejected and not written.
 */
export function makeSale(source: Source, at: number, isRefused: boolean): Promise<void> {
  return withDeadline(CALL_MS, async () => {
    const id = await nextId(source.type, source.tenant);
    if (isRefused) return;
    const header = putNew(recordKey(source.type, source.tenant, id), headerOf(id, at));
    await transact([{ ...header, ...insertionNotice(source, id) }]);
  });
}

/** Returns the header of a sale. Some are soft-deleted. */
function headerOf(id: number, at: number): Item {
  return { ...saleOf(id, at), is_deleted: chanceOf(id) % 50 === 0, version: 1 };
}

/** Returns a sale. Part 2, "Sale". Its company, client and status follow from its id, in no order. */
function saleOf(id: number, at: number): Sale {
  const chance = chanceOf(id);
  const created_at = Math.floor(at);
  return {
    id,
    creator_id: 1000 + (chance % 20),
    impersonator_id: null,
    company_id: 1 + (chance % 3),
    cashbox_id: 1 + (chance % 6),
    stock_id: 1 + (chance % 4),
    // Few enough that a client's first page is full at every size.
    client_id: 1 + (Math.floor(chance / 7) % 25),
    client_before: null,
    is_late: false,
    hold_id: null,
    exchange_of_sale_id: null,
    currency: 'uzs',
    rates: { uzs: 100, usd: 1_265_000, eur: 1_370_000, rub: 13_500 },
    purchased_amount: 100_000 + (chance % 900_000),
    discount_amount: 0,
    sold_amount: 150_000 + (chance % 900_000),
    returned_amount: 0,
    received_amount: 150_000,
    paid_out_amount: 0,
    bonus_earned: 0,
    bonus_available_on: null,
    bonus_taken_back: 0,
    bonus_shares: [],
    passed_on_amount: 0,
    exchanged_amount: 0,
    origins: [],
    status: STATUSES[Math.floor(chance / 11) % 4] ?? 'completed',
    source_type: 'native',
    source_data: [],
    code: `#${String(id).padStart(9, '0')}`,
    comment: null,
    key: null,
    sold_at: created_at,
    transactions: [
      {
        payment_type: 'cash',
        amount: 150_000,
        currency: 'uzs',
        counted_amount: 150_000,
        transfer_id: id,
        debt_id: null,
      },
    ],
    // It has no lines: rollups of goods would miss one.
    products_count: 0,
    created_at,
    updated_at: created_at,
  };
}

function chanceOf(id: number): number {
  return Math.imul(id, 2_654_435_761) >>> 0;
}
