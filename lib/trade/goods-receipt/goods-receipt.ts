import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { keyOfRates, ratesFrom } from '#lib/cash/company-rates.ts';
import { readAccuracies } from '#lib/catalog/accuracy.ts';
import { ProductCard, products } from '#lib/catalog/card.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import { isPresent, parseStored } from '#lib/records/stored.ts';
import * as suppliers from '#lib/stock/supplier/supplier.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Write } from '#lib/table/change/write.ts';
import { keyIfAny, recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { timesOf } from '#lib/trade/document/fields.ts';
import { documentRef, newDocumentWrites, readAllLines } from '#lib/trade/document/lines.ts';
import { documentsWithLines } from '#lib/trade/document/show.ts';
import { badRequest } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { type DraftFacts, decideDraft, quantitiesReceived } from './decide-draft.ts';
import {
  BATCH,
  type GoodsReceipt,
  type GoodsReceiptEdit,
  type GoodsReceiptInput,
  goodsReceipts,
} from './record.ts';

/** Operations on goods receipts: list those of warehouses open to the caller, get one with its lines. */
export const { list, get } = documentsWithLines(goodsReceipts);

/** Creates a draft, which moves nothing. 422 as in `decideDraft`. */
export async function create(
  actor: Staff,
  input: GoodsReceiptInput,
  at: Instant,
  saveResponse: (goodsReceipt: GoodsReceipt) => Write[],
): Promise<GoodsReceipt> {
  const { tenant } = actor;
  const [id, facts] = await Promise.all([nextId(goodsReceipts.type, tenant), readFacts(actor, input)]);
  const { lines, head } = decideDraft(actor, input, facts);
  const goodsReceipt: GoodsReceipt = {
    ...head,
    ...makerOf(actor),
    ...timesOf(at),
    id,
    inventory_id: null,
    supplier_operation_id: null,
    status: 'draft',
  };
  const { header, packs } = newDocumentWrites(goodsReceipts, tenant, goodsReceipt, lines);
  await transact([header, ...packs, ...saveResponse(goodsReceipt)]);
  return goodsReceipt;
}

/**
 * Replaces a draft, validated like a new one; a cost that is left out stays. 400 if it is not a draft.
 * Part 5, 5A.13. One more round trip if a cost is left out.
 */
export function edit(actor: Staff, id: number, input: GoodsReceiptEdit, at: Instant): Promise<GoodsReceipt> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const before = await getDraft(actor, id);
    const isAnyLeftOut = input.products.some(({ cost }) => cost === undefined);
    const [facts, linesBefore] = await Promise.all([
      readFacts(actor, input),
      isAnyLeftOut ? readAllLines(goodsReceipts, tenant, before) : [],
    ]);
    const { lines, head } = decideDraft(actor, input, facts, { ...before, lines: linesBefore });
    const after = { ...before, ...head, updated_at: at };
    await transact([
      ...documentReplacement(goodsReceipts, tenant, before, after),
      ...lineWrites(documentRef(goodsReceipts, tenant, id), lines, before.products_count),
    ]);
    return after;
  });
}

/** Reads a draft of a goods receipt. 400 if it is not a draft. */
export async function getDraft(actor: Staff, id: number) {
  const goodsReceipt = await getDocumentToChange(goodsReceipts, actor, id);
  if (goodsReceipt.status !== 'draft') throw badRequest('purchase.not_draft');
  return goodsReceipt;
}

/**
 * Reads the records that a body names, and draws ids for its lines. One round trip, for any number of lines,
 * two with fractions.
 */
async function readFacts(actor: Staff, input: GoodsReceiptEdit): Promise<DraftFacts> {
  const { stock_id, supplier_id } = input;
  const productIds = input.products.map(({ product_id }) => product_id);
  const [firstId, [ratesItem, warehouse, supplier, ...items]] = await Promise.all([
    nextId(BATCH, actor.tenant, productIds.length),
    getItems([
      keyOfRates(actor.tenant, actor.companyId),
      warehouses.keyOf(actor, stock_id),
      keyIfAny(supplier_id, (id) => suppliers.keyOf(actor, id)),
      ...productIds.map((id) => recordKey(products.type, actor.tenant, id)),
    ]),
  ]);
  const present = items.filter(isPresent).map((item) => parseStored(ProductCard, item));
  const cards = new Map(present.map((card) => [card.id, card]));
  return {
    ...{ firstId, cards, ...ratesFrom(ratesItem) },
    warehouse: warehouses.ifVisible(actor, warehouse),
    isSupplierOpen: suppliers.ifVisible(actor, supplier) !== undefined,
    accuracies: await readAccuracies(actor, quantitiesReceived(input), cards),
  };
}
