import type * as z from 'zod';
import type { Right } from './authorize.ts';

/** Beginnings of rights to operations that move goods or money, or set prices and rates for it. */
const MOVING = [
  'company.trade',
  'company.cashbox.operation',
  'company.cashbox.currency-rate',
  'company.client.debt-payment',
  'company.stock.supplier.payment',
  'company.tariff',
  'admin.billing',
  'external',
];

/**
 * Tells whether an operation is where goods or money move: documents, cash, repricing, rates, billing. There
 * a field that nobody knows is refused: it may be a mistyped discount. Decisions, 1, "Unknown fields".
 */
export function movesGoodsOrMoney({ right }: { readonly right: Right }): boolean {
  return MOVING.some((beginning) => right === beginning || right.startsWith(`${beginning}.`));
}

/** Tells whether an operation looks at a body: also at one that may have no field. */
export function takesBody(operation: { readonly right: Right; readonly body?: z.ZodType }): boolean {
  return operation.body !== undefined || movesGoodsOrMoney(operation);
}
