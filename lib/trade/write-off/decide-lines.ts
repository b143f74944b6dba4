import { type Accuracies, checkDecimals, type Measured } from '#lib/catalog/accuracy.ts';
import { insufficientStock, type StockLevels } from '#lib/stock/stock-levels.ts';
import type { ErrorCode } from '#lib/values/message.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type WriteOffInput, WriteOffReason } from './record.ts';

type RequestedLine = WriteOffInput['products'][number];

/** Reasons that require a comment. Part 2, "Write-offs". */
const COMMENTED = new Set(['stock_industrial_usage', 'purchase_incorrect_description', 'common_other']);

/** Source of a write-off: its warehouse, and the supplier of its goods. */
export interface WriteOffSource {
  readonly warehouse: { readonly id: number; readonly company_id: number };
  readonly supplierId: number | null;
  /** For a goods receipt: the product of each of its batches. */
  readonly batches?: ReadonlyMap<number, number>;
}

/** Data that a write-off's lines are decided by, as read. */
export interface LineFacts {
  /** Ids of the lines before the change, which may be kept. */
  readonly known: ReadonlySet<number>;
  /** Allocated id of the first new line. */
  readonly firstId: number;
  /** The source, or the reason that it can't be one. */
  readonly source: WriteOffSource | { readonly reason: ErrorCode };
  /** The goods named by the body, in the source's warehouse; undefined without a source. */
  readonly goods: LineGoods | undefined;
}

interface LineGoods {
  readonly stockLevels: StockLevels;
  readonly inDrafts: ReadonlySet<number>;
  readonly accuracies: Accuracies;
}

/**
 * Validates the body of a write-off and builds its lines, and the header fields derived from it. Existing
 * lines keep their ids. 422 with all failing fields: on an unknown id or source, on a reason not valid for
 * the source or lacking its comment, on a product in a sale draft, and on more than a batch has left.
 * Contract 9.16; Contract 9.19; Contract 9.112.
 */
export function decideLines(input: WriteOffInput, { known, firstId, source, goods }: LineFacts) {
  const issues = new ValidationIssues();
  if ('reason' in source) issues.add('source_id', source.reason);
  checkIds(input.products, known, issues);
  for (const [index, requested] of input.products.entries()) {
    checkReason(input.source_type, requested, `products.${index}`, issues);
  }
  if ('reason' in source || !goods) throw issues.refusal;
  checkDecimals(quantitiesWrittenOff(input, goods.stockLevels), goods.accuracies, issues);
  for (const [index, requested] of input.products.entries()) {
    checkGoods(requested, `products.${index}`, { source, ...goods }, issues);
  }
  issues.throwIfAny();
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

/** Lists the quantities of a body, for the check of their decimal places. */
export function quantitiesWrittenOff({ products }: WriteOffInput, stockLevels: StockLevels): Measured[] {
  return products.map(({ product_id, source_product_id, quantity }, index) => {
    const remainders = [stockLevels.batch(product_id, source_product_id)?.left ?? 0];
    return { product_id, quantity, path: `products.${index}.quantity`, remainders };
  });
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

function checkGoods(
  { product_id, source_product_id, quantity }: RequestedLine,
  path: string,
  { source, stockLevels, inDrafts }: LineGoods & { readonly source: WriteOffSource },
  issues: ValidationIssues,
): void {
  const { batches } = source;
  const left = stockLevels.batch(product_id, source_product_id)?.left ?? 0;
  const isOfSource = batches ? batches.get(source_product_id) === product_id : left > 0;
  if (inDrafts.has(product_id)) issues.add(`${path}.product_id`, 'writeoff.in_active_sale');
  if (!stockLevels.after.has(product_id)) issues.add(`${path}.product_id`, 'validation.not_found');
  else if (!isOfSource) issues.add(`${path}.source_product_id`, 'validation.not_found');
  else if (quantity > left) issues.add(`${path}.quantity`, insufficientStock(left));
}
