import type { Tenant } from '#lib/table/keys.ts';
import { readAllLines } from '#lib/trade/document/lines.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';
import {
  type GoodsReceipt,
  type GoodsReceiptEdit,
  type GoodsReceiptInput,
  type GoodsReceiptLine,
  goodsReceipts,
} from './record.ts';

/**
 * Completes the input of an edit: a line with its id and without a cost keeps the cost that it has, if it is
 * of the same product and currency. 422 on `cost` of any other line without one. One round trip if a cost is
 * left out, else none. Part 5, 5A.13.
 */
export async function withKeptCosts(
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
