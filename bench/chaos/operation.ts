import * as z from 'zod';
import type { Chance } from '#bench/kit/random.ts';
import { amountOf, ONE } from '#lib/values/quantity.ts';
import { BUNDLE_PRICE, type ChaosFamily, PRICE } from './family.ts';

/** An operation of a client, and how the table tells later whether it was done. */
export interface ErrandStep {
  /** Goes into the comment of what it makes. */
  readonly name: string;
  readonly kind: Kind;
  readonly scene: ChaosFamily;
  readonly request: string;
  readonly json?: object;
  /** What the table tells of it once it is done, if not its name; null if it tells nothing. */
  readonly trace?: string | null;
}

/** What documents go through by operations, and the call of each: `PATCH <path>/<id>/<word>`. */
const CHANGES = {
  return: ['/company/trade/sale', 'return'],
  receipt: ['/company/trade/purchase', 'complete'],
  collection: ['/company/cashbox/operation/collection', 'confirm'],
  addition: ['/company/trade/hold', 'add-products'],
  cancel: ['/company/trade/hold', 'cancel'],
  'write-off': ['/company/trade/writeoff', 'complete'],
  arrival: ['/company/trade/transfer', 'complete'],
  'way back': ['/company/trade/transfer', 'cancel'],
  count: ['/company/trade/inventory', 'complete'],
  shift: ['/company/trade/cashbox-shift', 'close'],
} as const;

export type DocumentChange = keyof typeof CHANGES;

type Kind =
  | DocumentChange
  | 'sale'
  | 'exchange'
  | 'new receipt'
  | 'new hold'
  | 'new write-off'
  | 'new transfer'
  | 'new count'
  | 'counting'
  | 'payment'
  | 'movement'
  | 'new collection'
  | 'debt payment'
  | 'new shift';

/** Names what the table tells of a document's change. */
export function traceOf(change: DocumentChange, familyId: number, id: number): string {
  return `${change} of ${familyId} ${id}`;
}

/** Makes the operation by which a document goes through a change. */
export function changing(
  kind: DocumentChange,
  scene: ChaosFamily,
  name: string,
  id: number,
  json?: object,
): ErrandStep {
  const [path, word] = CHANGES[kind];
  const trace = traceOf(kind, scene.familyId, id);
  return { name, kind, scene, request: `PATCH ${path}/${id}/${word}`, trace, ...(json && { json }) };
}

/**
 * Makes a cheque of one to three lines, at times of products that are nearly gone, in cash, by card, by bank
 * or partly on debt.
 */
export function smallSale(scene: ChaosFamily, name: string, chance: Chance): ErrandStep {
  const products = chance
    .some(scene.hot, chance.between(1, 3))
    .map((product_id) => ({ product_id, sold_quantity: chance.oneOf([1, 2, 0.5, 3.3333]) }));
  const total = products.reduce(
    (sum, { sold_quantity }) => sum + amountOf(PRICE * 100, Math.round(sold_quantity * ONE)),
    0,
  );
  return sale(scene, name, { products, ...paymentsOf(scene, total, chance) }, chance);
}

/** Makes a cheque of 110 lines, by bundles. */
export function largeSale(scene: ChaosFamily, name: string, chance: Chance): ErrandStep {
  const bundles = scene.bundles.map((bundle_id) => ({ bundle_id, quantity: 1 }));
  const total = scene.bundles.length * BUNDLE_PRICE * 100;
  return sale(scene, name, { bundles, ...paymentsOf(scene, total, chance) }, chance);
}

const Paid = z.object({ transactions: z.array(z.looseObject({ payment_type: z.string() })) });

/** Returns a whole cheque, for the money that was paid for it; its desk may have too little by now. */
export function wholeReturn({ scene, json }: ErrandStep, name: string, saleId: number): ErrandStep {
  const { transactions } = Paid.parse(json);
  const money = transactions.filter(({ payment_type }) => payment_type !== 'debt');
  return changing('return', scene, name, saleId, { transactions: money });
}

/** Makes a sale at any desk. */
export function sale(
  { desks, stockId, ...scene }: ChaosFamily,
  name: string,
  json: object,
  chance: Chance,
): ErrandStep {
  const place = { cashbox_id: chance.oneOf(desks), stock_id: stockId, currency: 'uzs' };
  return {
    name,
    kind: 'sale',
    scene: { ...scene, desks, stockId },
    request: 'POST /company/trade/sale',
    json: { ...place, ...json, comment: name },
  };
}

function paymentsOf({ clientId }: ChaosFamily, total: number, chance: Chance): object {
  const payment_type = chance.oneOf(['cash', 'card', 'bank']);
  if (chance.next() > 0.33) return { transactions: [{ payment_type, amount: total / 100 }] };
  const owed = Math.ceil(total / 2);
  const paid = { payment_type, amount: (total - owed) / 100 };
  const debt = { payment_type: 'debt', amount: owed / 100 };
  const due_date = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10);
  return { client_id: clientId, due_date, transactions: paid.amount > 0 ? [paid, debt] : [debt] };
}

const Made = z.object({ id: z.int() });

/** Reads the id in an answer. */
export function newIdIn(body: unknown): number | undefined {
  return Made.safeParse(body).data?.id;
}
