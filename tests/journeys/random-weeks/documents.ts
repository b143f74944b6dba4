import * as z from 'zod';
import type { Person } from '#bin/cli/person.ts';

/* Documents, as the API tells them when they are made: the model keeps nothing else. */

const Batches = z.array(z.object({ cost: z.number(), currency: z.string(), quantity: z.number() }));

const SoldLine = z.object({
  id: z.int(),
  product_id: z.int(),
  sold_quantity: z.number(),
  amount: z.number(),
  discount: z.number(),
  cost: z.number(),
  batches: Batches,
});

const SoldDocument = z.object({
  id: z.int(),
  company_id: z.int(),
  cashbox_id: z.int(),
  stock_id: z.int(),
  creator_id: z.int(),
  currency: z.string(),
  sold_at: z.string(),
  sold_amount: z.number(),
  purchased_amount: z.number(),
  exchanged_amount: z.number(),
  change_amount: z.number(),
  transactions: z.array(z.object({ payment_type: z.string(), counted_amount: z.number() })),
  products: z.array(SoldLine),
});

export type SoldDocument = z.output<typeof SoldDocument>;

const ReturnedDocument = z.object({
  id: z.int(),
  company_id: z.int(),
  cashbox_id: z.int(),
  stock_id: z.int(),
  creator_id: z.int(),
  currency: z.string(),
  created_at: z.string(),
  amount: z.number(),
  cost: z.number(),
  products: z.array(
    z.object({
      id: z.int(),
      product_id: z.int(),
      returned_quantity: z.number(),
      amount: z.number(),
      cost: z.number(),
      batches: Batches,
    }),
  ),
});

/** A return; of an exchange, at the desk and warehouse of its new cheque. */
export type ReturnedDocument = z.output<typeof ReturnedDocument> & { readonly report_stock_id: number };

/** Goods that came to a shelf or left it; on their way they are the sender's. */
export interface Moved {
  readonly stock_id: number;
  readonly product_id: number;
  readonly quantity: number;
  readonly cost: number;
  readonly currency: string;
  readonly where: 'shelf' | 'way';
}

const WithBatches = z.object({
  products: z.array(z.object({ product_id: z.int(), batches: Batches })),
});

const Transfer = z.object({
  id: z.int(),
  company_id: z.int(),
  cashbox_id: z.int(),
  type: z.enum(['income', 'outcome']),
  payment_type: z.string(),
  currency: z.string(),
  amount: z.number(),
  status: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});

export type MoneyMoved = z.output<typeof Transfer>;

const Debt = z.object({
  id: z.int(),
  client_id: z.int(),
  company_id: z.int(),
  currency: z.string(),
  remaining_amount: z.number(),
  due_date: z.string(),
});

export type OwedDocument = z.output<typeof Debt>;

/** Reads a cheque as it was made. */
export async function readSold(person: Person, id: number): Promise<SoldDocument> {
  return SoldDocument.parse((await person.call(`GET /company/trade/sale/${id}`)).body);
}

/** Reads the latest return of a cheque. */
export async function readLastReturn(person: Person, saleId: number) {
  const list = await person.call(`GET /company/trade/sale/return?filter[sale_id]=${saleId}`);
  return ReturnedDocument.parse(list.rows()[0]?.body);
}

/** Reads the batches of a document's lines. */
export async function readBatches(person: Person, path: string) {
  return WithBatches.parse((await person.call(`GET ${path}`)).body).products;
}

/** Reads all movements of money of the desks. */
export async function readMoney(person: Person, deskIds: readonly number[]): Promise<MoneyMoved[]> {
  const of = deskIds.map((id) => readPages(person, `/company/cashbox/cashbox/${id}/transfers`, Transfer));
  return (await Promise.all(of)).flat();
}

/** Reads all debts. */
export function readDebts(person: Person): Promise<OwedDocument[]> {
  return readPages(person, '/company/client/debt', Debt);
}

async function readPages<T>(person: Person, path: string, row: z.ZodType<T>): Promise<T[]> {
  const all: T[] = [];
  for (let page = 1; ; page++) {
    const reply = await person.call(`GET ${path}?sort[]=id&page=${page}`);
    const rows = reply.rows().map(({ body }) => row.parse(body));
    all.push(...rows);
    if (page >= reply.number('meta.last_page')) return all;
  }
}
