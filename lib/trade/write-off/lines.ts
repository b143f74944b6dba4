import type { Staff } from '#lib/auth/actor.ts';
import { checkAccuracy } from '#lib/catalog/accuracy.ts';
import { findDocument } from '#lib/records/documents.ts';
import { insufficientStock, readStockLevels } from '#lib/stock/stock-levels.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { readAllLines } from '#lib/trade/document/lines.ts';
import { productsInDrafts } from '#lib/trade/draft/record.ts';
import { goodsReceipts } from '#lib/trade/goods-receipt/record.ts';
import { type ValidationIssue, ValidationIssues } from '#lib/values/validation-issues.ts';
import type { WriteOffInput } from './input.ts';
import { WRITE_OFF_LINE, type WriteOffLine, WriteOffReason } from './record.ts';

type RequestedLine = WriteOffInput['products'][number];

/** Reasons that require a comment. Part 2, "Write-offs". */
const COMMENTED = new Set(['stock_industrial_usage', 'purchase_incorrect_description', 'common_other']);

/**
 * Validates and builds the lines of a write-off, and the header fields derived from its body and goods.
 * Existing lines keep their ids. 422 with all failing fields: on an unknown id or source, on a reason not
 * valid for the source or lacking its comment, on a product in a sale draft, and on more than a batch has
 * left. Two round trips, three for a goods receipt's goods, and more if there are drafts. Contract 9.16;
 * Contract 9.19.
 */
export async function linesToWriteOff(actor: Staff, input: WriteOffInput, before: readonly WriteOffLine[]) {
  const issues = new ValidationIssues();
  const added = input.products.filter(({ id }) => id === null).length;
  const [source, firstId] = await Promise.all([
    readSource(actor, input, issues),
    nextId(WRITE_OFF_LINE, actor.tenant, added),
  ]);
  checkIds(input.products, new Set(before.map(({ id }) => id)), issues);
  for (const [index, requested] of input.products.entries()) {
    checkReason(input.source_type, requested, `products.${index}`, issues);
  }
  if (source) await checkGoods(actor, source, input.products, issues);
  if (!source || issues.areAny) throw issues.refusal;
  let next = firstId;
  const lines = input.products.map(({ id, ...requested }) => ({
    ...requested,
    id: id ?? next++,
    batches: [],
  }));
  const { products: _, ...fields } = input;
  const { id: stock_id, company_id } = source.warehouse;
  const head = { ...fields, stock_id, company_id, supplier_id: source.supplierId };
  return { lines, head: { ...head, products_count: lines.length } };
}

function checkIds(
  products: readonly RequestedLine[],
  known: ReadonlySet<number>,
  issues: ValidationIssues,
): void {
  const seen = new Set<number>();
  for (const [index, { id }] of products.entries()) {
    if (id === null) continue;
    if (!known.has(id)) issues.add(`products.${index}.id`, 'validation.not_found');
    else if (seen.has(id)) issues.add(`products.${index}.id`, 'validation.duplicate');
    seen.add(id);
  }
}

function checkReason(
  sourceType: WriteOffInput['source_type'],
  { reason, comment }: RequestedLine,
  path: string,
  issues: ValidationIssues,
): void {
  const allowed = WriteOffReason.options.filter(
    (each) => each.startsWith(sourceType) || each.startsWith('common_'),
  );
  if (!allowed.includes(reason)) {
    issues.add(`${path}.reason`, { key: 'validation.not_one_of', with: { values: allowed.join(', ') } });
  } else if (comment === null && COMMENTED.has(reason)) issues.add(`${path}.comment`, 'validation.required');
}

async function checkGoods(
  actor: Staff,
  { warehouse, batches }: WriteOffSource,
  products: readonly RequestedLine[],
  issues: ValidationIssues,
): Promise<void> {
  const productIds = products.map(({ product_id }) => product_id);
  const [stockLevels, inDrafts] = await Promise.all([
    readStockLevels(actor.tenant, warehouse.id, productIds),
    productsInDrafts(actor, warehouse.company_id),
  ]);
  const quantities = products.map(({ product_id, source_product_id, quantity }, index) => {
    const remainders = [stockLevels.batch(product_id, source_product_id)?.left ?? 0];
    return { product_id, quantity, path: `products.${index}.quantity`, remainders };
  });
  await checkAccuracy(actor, quantities, issues);
  for (const [index, requested] of products.entries()) {
    const path = `products.${index}`;
    const left = stockLevels.batch(requested.product_id, requested.source_product_id)?.left ?? 0;
    const isOfGoodsReceipt = batches?.get(requested.source_product_id) === requested.product_id;
    if (inDrafts.has(requested.product_id)) issues.add(`${path}.product_id`, 'writeoff.in_active_sale');
    if (!stockLevels.after.has(requested.product_id))
      issues.add(`${path}.product_id`, 'validation.not_found');
    else if (batches ? !isOfGoodsReceipt : left === 0) {
      issues.add(`${path}.source_product_id`, 'validation.not_found');
    } else if (requested.quantity > left) {
      issues.add(`${path}.quantity`, insufficientStock(left));
    }
  }
}

/** Warehouse and supplier of goods to be written off. */
export interface WriteOffSource {
  readonly warehouse: { readonly id: number; readonly company_id: number };
  readonly supplierId: number | null;
  /** For a goods receipt: the product of each of its batches. */
  readonly batches?: ReadonlyMap<number, number>;
}

/**
 * Reads the source named by a body: a warehouse, or a completed goods receipt, limited to its own batches in
 * its own warehouse. Undefined, with an issue, if it is unknown, not open to the caller or not completed. One
 * round trip, two for a goods receipt. Contract 9.19.
 */
async function readSource(
  actor: Staff,
  { source_type, source_id }: WriteOffInput,
  issues: ValidationIssues,
): Promise<WriteOffSource | undefined> {
  const reject = (issue: ValidationIssue) => {
    issues.add('source_id', issue);
    return undefined;
  };
  if (source_type === 'stock') {
    const warehouse = await openWarehouse(actor, source_id);
    return warehouse ? { warehouse, supplierId: null } : reject('validation.not_found');
  }
  const goodsReceipt = await findDocument(goodsReceipts, actor, source_id);
  if (!goodsReceipt) return reject('validation.not_found');
  if (goodsReceipt.status !== 'completed') return reject('writeoff.receipt_not_completed');
  const [warehouse, lines] = await Promise.all([
    openWarehouse(actor, goodsReceipt.stock_id),
    readAllLines(goodsReceipts, actor.tenant, goodsReceipt),
  ]);
  if (!warehouse) return reject('validation.not_found');
  const batches = new Map(lines.map(({ id, product_id }) => [id, product_id]));
  return { warehouse, supplierId: goodsReceipt.supplier_id, batches };
}

async function openWarehouse(actor: Staff, id: number) {
  return warehouses.ifVisible(actor, await getItem(warehouses.keyOf(actor, id)));
}
