import { isDeepStrictEqual } from 'node:util';
import { payoutsByWay, type ReturnHeader, saleReturns } from '#lib/trade/return/record.ts';
import type { Sale } from '#lib/trade/sale/record.ts';
import type { SaleReturn } from '#lib/trade/sale/returns-of.ts';
import type { Books } from '../frame/books.ts';
import { everyOf } from '../frame/documents.ts';
import { faultUnless } from '../frame/ledger.ts';

/** Reads the headers of returns, to tie them to their sales. */
export async function readReturnHeaders({ tenant, returns }: Books): Promise<void> {
  for await (const header of everyOf(tenant, saleReturns)) returns.post(header.id, header);
}

/** Ties a return of a sale to its header, which must match. */
export function headerFaults({ returns }: Books, sale: Sale, made: SaleReturn): string[] {
  const header = returns.tie(`${made.id}`);
  if (!header) return [`has return ${made.id}, which is not in the list of returns`];
  const { company_id, client_id, currency } = sale;
  const { products, services = [], transactions, kind, exchange_sale_id, ...said } = made;
  const says = {
    ...{ id: said.id, sale_id: said.sale_id, kind, exchange_sale_id, company_id, client_id, currency },
    ...{ cashbox_id: said.cashbox_id, stock_id: said.stock_id, amount: said.amount },
    ...{ creator_id: said.creator_id, impersonator_id: said.impersonator_id, created_at: said.created_at },
    cost: [...products, ...services].reduce((sum, { cost }) => sum + cost, 0),
    products_count: products.length,
    vat_amount: said.vat_amount ?? 0,
    written_off_amount: said.written_off_amount ?? 0,
    paid_out: payoutsByWay(transactions),
  };
  const kept: Partial<ReturnHeader> = { vat_amount: 0, written_off_amount: 0, ...header };
  const wrong = Object.entries(says).filter(
    ([name, value]) => !isDeepStrictEqual(fieldOf(kept, name), value),
  );
  return faultUnless(
    wrong.length === 0,
    `has return ${made.id}, of which the list says another ${wrong.map(([name]) => name).join(', ')}`,
  );
}

function fieldOf(header: object, name: string): unknown {
  return new Map(Object.entries(header)).get(name);
}
