import { makerOf, requireTrading, type Staff } from '#lib/auth/actor.ts';
import { keyOfRates, ratesFrom } from '#lib/cash/company-rates.ts';
import { checkAccuracy } from '#lib/catalog/accuracy.ts';
import { ProductCard, products } from '#lib/catalog/card.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { lineWrites } from '#lib/records/lines.ts';
import { isPresent, parseStored } from '#lib/records/stored.ts';
import * as suppliers from '#lib/stock/supplier/supplier.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Write } from '#lib/table/change/write.ts';
import { keyIfAny, recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { timesOf } from '#lib/trade/document/fields.ts';
import { documentRef, newDocumentWrites, readAllLines } from '#lib/trade/document/lines.ts';
import { documentsWithLines } from '#lib/trade/document/show.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { convertAmount, MAX_AMOUNT, type MinorUnits, totalAmount } from '#lib/values/money.ts';
import { amountOf } from '#lib/values/quantity.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { whyNotPriced } from './price.ts';
import {
  BATCH,
  type GoodsReceipt,
  type GoodsReceiptEdit,
  type GoodsReceiptInput,
  type GoodsReceiptLine,
  goodsReceipts,
} from './record.ts';

/** Operations on goods receipts: list those of warehouses open to the caller, get one with its lines. */
export const { list, get } = documentsWithLines(goodsReceipts);

/** Creates a draft, which moves nothing. 422 as in `linesToReceive`. */
export async function create(
  actor: Staff,
  input: GoodsReceiptInput,
  at: Instant,
  saveResponse: (goodsReceipt: GoodsReceipt) => Write[],
): Promise<GoodsReceipt> {
  const { tenant } = actor;
  const [id, { lines, head }] = await Promise.all([
    nextId(goodsReceipts.type, tenant),
    linesToReceive(actor, input, new ValidationIssues()),
  ]);
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
 * Replaces a draft, validated like a new one, with costs as in `withKeptCosts`. 400 if it is not a draft.
 */
export function edit(actor: Staff, id: number, given: GoodsReceiptEdit, at: Instant): Promise<GoodsReceipt> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const before = await getDraft(actor, id);
    const issues = new ValidationIssues();
    const input = await withKeptCosts(tenant, before, given, issues);
    const { lines, head } = await linesToReceive(actor, input, issues);
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
 * Validates and builds the lines of a goods receipt, and the header fields derived from its body. Two round
 * trips, for any number of lines. 422 with all failing fields: on records that do not exist or are not open
 * to the caller, on a sale price below its product's floor, and on an amount over the limit, also when
 * converted to the sale currency of the caller's company, since such goods could never be sold; 400 if the
 * company of the warehouse is deleted.
 */
async function linesToReceive(actor: Staff, input: GoodsReceiptInput, issues: ValidationIssues) {
  const [firstId, { company_id, inSaleCurrency }] = await Promise.all([
    nextId(BATCH, actor.tenant, input.products.length),
    checkReferences(actor, input, issues),
  ]);
  const quantities = input.products.map(({ product_id, quantity }, index) => {
    return { product_id, quantity, path: `products.${index}.quantity` };
  });
  await checkAccuracy(actor, quantities, issues);
  const lines = input.products.map((requested, index): GoodsReceiptLine => {
    const amount = amountOf(requested.cost, requested.quantity);
    if (amount > MAX_AMOUNT) issues.add(`products.${index}.quantity`, 'sale.amount_too_large');
    else if (inSaleCurrency(amount) > MAX_AMOUNT) issues.add(`products.${index}.cost`, 'sale.cost_too_large');
    return { ...requested, id: firstId + index, amount };
  });
  const amount = totalAmount(lines);
  if (amount > MAX_AMOUNT) issues.add('products', 'sale.amount_too_large');
  if (company_id === undefined || issues.areAny) throw issues.refusal;
  const { products: _, ...fields } = input;
  return { lines, head: { ...fields, amount, company_id, products_count: lines.length } };
}

/**
 * Validates the references of a goods receipt in one round trip; returns the company of the warehouse, and a
 * conversion to the caller's sale currency.
 */
async function checkReferences(actor: Staff, input: GoodsReceiptInput, issues: ValidationIssues) {
  const { stock_id, supplier_id, currency } = input;
  const [ratesItem, warehouseItem, supplierItem, ...cards] = await getItems([
    keyOfRates(actor.tenant, actor.companyId),
    warehouses.keyOf(actor, stock_id),
    keyIfAny(supplier_id, (id) => suppliers.keyOf(actor, id)),
    ...input.products.map(({ product_id }) => recordKey(products.type, actor.tenant, product_id)),
  ]);
  const warehouse = warehouses.ifVisible(actor, warehouseItem);
  if (warehouse) requireTrading(actor, warehouse);
  else issues.add('stock_id', 'validation.not_found');
  if (supplier_id !== null && !suppliers.ifVisible(actor, supplierItem)) {
    issues.add('supplier_id', 'validation.not_found');
  }
  const { saleCurrency, rates } = ratesFrom(ratesItem);
  for (const [index, card] of cards.entries()) {
    const line = input.products[index];
    if (!isPresent(card)) issues.add(`products.${index}.product_id`, 'validation.not_found');
    const obstacle =
      isPresent(card) && line && whyNotPriced(parseStored(ProductCard, card), { ...line, currency }, rates);
    if (obstacle) issues.add(`products.${index}.sale_price`, obstacle.phrase);
  }
  const inSaleCurrency = (amount: MinorUnits) =>
    convertAmount(amount, rates[currency], rates[saleCurrency]) ?? 0;
  return { company_id: warehouse?.company_id, inSaleCurrency };
}

/**
 * Completes the input of an edit: a line with its id and without a cost keeps the cost that it has, if it is
 * of the same product and currency. 422 on `cost` of any other line without one. One round trip if a cost is
 * left out, else none. Part 5, 5A.13.
 */
async function withKeptCosts(
  tenant: Tenant,
  before: GoodsReceipt,
  input: GoodsReceiptEdit,
  issues: ValidationIssues,
): Promise<GoodsReceiptInput> {
  const isAnyLeftOut = input.products.some(({ cost }) => cost === undefined);
  const lines = isAnyLeftOut ? await readAllLines(goodsReceipts, tenant, before) : [];
  const isSameMoney = before.currency === input.currency;
  const products = input.products.map(({ id, ...given }, index) => {
    const cost = given.cost ?? (isSameMoney ? costOfLine(lines, { ...given, id }) : undefined);
    if (cost === undefined) issues.add(`products.${index}.cost`, 'validation.required');
    return { ...given, cost: cost ?? 0 };
  });
  return { ...input, products };
}

function costOfLine(
  lines: readonly GoodsReceiptLine[],
  { id, product_id }: GoodsReceiptEdit['products'][number],
): number | undefined {
  return lines.find((line) => line.id === id && line.product_id === product_id)?.cost;
}
