import { makerOf, type Staff } from '#lib/access/actor.ts';

import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import type { Write } from '#lib/table/change/write.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { timesOf } from '#lib/trade/document/fields.ts';
import { documentPlace, newDocumentWrites } from '#lib/trade/document/lines.ts';
import { documentsWithLines } from '#lib/trade/document/show.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import type { ReceiptInput } from './input.ts';
import { linesToReceive } from './lines.ts';
import { type Receipt, receipts } from './record.ts';

/** List the receipts of warehouses open to the caller, and get one with its lines. */
export const { list, get } = documentsWithLines(receipts);

/** Makes a draft, which moves nothing yet. 422 as `linesToReceive` says. */
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
    ...receiptFields(input),
    ...computed,
    ...makerOf(actor),
    ...timesOf(at),
    id,
    inventory_id: null,
    supplier_operation_id: null,
    status: 'draft',
    products_count: lines.length,
  };
  const { header, packs } = newDocumentWrites(receipts, home, receipt, lines);
  await transact([header, ...packs, ...remember(receipt)]);
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
      ...receiptFields(input),
      ...computed,
      products_count: lines.length,
      updated_at: at,
    };
    await transact([
      ...documentReplacement(receipts, home, before, after),
      ...lineWrites(documentPlace(receipts, home, id), lines, before.products_count),
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

function receiptFields({ stock_id, supplier_id, currency, comment }: ReceiptInput) {
  return { stock_id, supplier_id, currency, comment };
}
