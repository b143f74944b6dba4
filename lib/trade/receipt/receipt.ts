import type { Staff } from '#lib/access/actor.ts';
import {
  documentInsertion,
  documentReplacement,
  getDocumentToChange,
  listDocuments,
} from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/embeds.ts';
import { lineWrites } from '#lib/records/lines.ts';
import type { ListQuery } from '#lib/records/list-query.ts';
import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { getWithLines } from '#lib/trade/product-lines.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import type { PurchaseInput } from './input.ts';
import { linesOf } from './lines.ts';
import { type Purchase, PurchaseLine, purchases } from './record.ts';

/** Lists the receipts of warehouses open to the caller. */
export function list(actor: Staff, query: ListQuery) {
  return listDocuments(purchases, actor, query);
}

/** Reads one receipt with its lines, each with its product, and with what was asked for. */
export function get(actor: Staff, id: number, wanted: readonly Embed[]) {
  return getWithLines({ type: purchases, line: PurchaseLine }, actor, id, wanted);
}

/** Makes a draft, which moves nothing yet. 422 as `linesOf` says. */
export async function create(
  actor: Staff,
  input: PurchaseInput,
  at: Instant,
  remember: (purchase: Purchase) => Write[],
): Promise<Purchase> {
  const { home } = actor;
  const [id, { lines, ...computed }] = await Promise.all([
    nextId(purchases.type, home),
    linesOf(actor, input),
  ]);
  const purchase: Purchase = {
    ...given(input),
    ...computed,
    id,
    creator_id: actor.id,
    inventory_id: null,
    supplier_operation_id: null,
    status: 'draft',
    products_count: lines.length,
    completed_at: null,
    created_at: at,
    updated_at: at,
  };
  await transact([
    documentInsertion(purchases, home, purchase),
    ...lineWrites({ type: purchases.type, home, id }, lines),
    ...remember(purchase),
  ]);
  return purchase;
}

/** Rewrites a draft by the rules of a new one. 400 if it is no draft. */
export function edit(actor: Staff, id: number, input: PurchaseInput, at: Instant): Promise<Purchase> {
  const { home } = actor;
  return retryOnContention(async () => {
    const before = await getDraft(actor, id);
    const { lines, ...computed } = await linesOf(actor, input);
    const after = {
      ...before,
      ...given(input),
      ...computed,
      products_count: lines.length,
      updated_at: at,
    };
    await transact([
      ...documentReplacement(purchases, home, before, after),
      ...lineWrites({ type: purchases.type, home, id }, lines, before.products_count),
    ]);
    return after;
  });
}

/** Reads a receipt that is still a draft. 400 if it is none. */
export async function getDraft(actor: Staff, id: number) {
  const purchase = await getDocumentToChange(purchases, actor, id);
  if (purchase.status !== 'draft') throw refuse('purchase.not_draft');
  return purchase;
}

function given({ stock_id, supplier_id, currency, comment }: PurchaseInput) {
  return { stock_id, supplier_id, currency, comment };
}
