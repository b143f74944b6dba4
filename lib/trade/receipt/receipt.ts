import type { Staff } from '#lib/access/actor.ts';
import { makerOf } from '#lib/access/impersonation.ts';
import {
  documentInsertion,
  documentReplacement,
  getDocumentToChange,
  listDocuments,
} from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { getWithLines } from '#lib/trade/product-lines.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ReceiptInput } from './input.ts';
import { linesToReceive } from './lines.ts';
import { type Receipt, ReceiptLine, receipts } from './record.ts';

/** Lists the receipts of warehouses open to the caller. */
export function list(actor: Staff, query: ListQuery) {
  return listDocuments(receipts, actor, query);
}

/** Reads one receipt with its lines, each with its product, and with what was asked for. */
export function get(actor: Staff, id: number, wanted: readonly Embed[]) {
  return getWithLines({ type: receipts, line: ReceiptLine }, actor, id, wanted);
}

/** Makes a draft, which moves nothing yet. 422 as `linesOf` says. */
export async function create(
  actor: Staff,
  input: ReceiptInput,
  at: Instant,
  remember: (receipt: Receipt) => Write[],
): Promise<Receipt> {
  const { home } = actor;
  const [id, { lines, ...computed }] = await Promise.all([
    nextId(receipts.type, home),
    linesToReceive(actor, input),
  ]);
  const receipt: Receipt = {
    ...given(input),
    ...computed,
    id,
    ...makerOf(actor),
    inventory_id: null,
    supplier_operation_id: null,
    status: 'draft',
    products_count: lines.length,
    completed_at: null,
    created_at: at,
    updated_at: at,
  };
  await transact([
    documentInsertion(receipts, home, receipt),
    ...lineWrites({ type: receipts.type, home, id }, lines),
    ...remember(receipt),
  ]);
  return receipt;
}

/** Rewrites a draft by the rules of a new one. 400 if it is no draft. */
export function edit(actor: Staff, id: number, input: ReceiptInput, at: Instant): Promise<Receipt> {
  const { home } = actor;
  return retryOnContention(async () => {
    const before = await getDraft(actor, id);
    const { lines, ...computed } = await linesToReceive(actor, input);
    const after = {
      ...before,
      ...given(input),
      ...computed,
      products_count: lines.length,
      updated_at: at,
    };
    await transact([
      ...documentReplacement(receipts, home, before, after),
      ...lineWrites({ type: receipts.type, home, id }, lines, before.products_count),
    ]);
    return after;
  });
}

/** Reads a receipt that is still a draft. 400 if it is none. */
export async function getDraft(actor: Staff, id: number) {
  const receipt = await getDocumentToChange(receipts, actor, id);
  if (receipt.status !== 'draft') throw refuse('purchase.not_draft');
  return receipt;
}

function given({ stock_id, supplier_id, currency, comment }: ReceiptInput) {
  return { stock_id, supplier_id, currency, comment };
}
