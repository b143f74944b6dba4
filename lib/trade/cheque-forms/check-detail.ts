import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { Cashbox, cashboxEmbed } from '#lib/cash/desk/cashbox.ts';
import { Client, clientEmbed } from '#lib/clients/client.ts';
import { Colleague, creatorEmbed } from '#lib/people/user/user.ts';
import { sourceOf } from '#lib/records/documents.ts';
import { neighbour } from '#lib/records/embeds.ts';
import { vouched } from '#lib/records/stored.ts';
import { equals } from '#lib/table/expression.ts';
import { listItems } from '#lib/table/list/list.ts';
import { get } from '#lib/trade/sale/read.ts';
import { Sale, SaleWithLines, sales } from '#lib/trade/sale/record.ts';
import { readReturns, SaleReturn } from '#lib/trade/sale/returns-of.ts';

/** What a card tells of another cheque, which may be of a desk that is not open to the caller. */
const LinkedSale = Sale.pick({
  id: true,
  code: true,
  cashbox_id: true,
  currency: true,
  status: true,
  sold_amount: true,
  returned_amount: true,
  created_at: true,
});

/** All there is to tell of a cheque on one card. Decisions, 9 (69). */
export const CheckDetail = SaleWithLines.extend({
  cashbox: Cashbox.nullable(),
  /** Who made the cheque. */
  cashier: Colleague.nullable(),
  client: Client.nullable(),
  returns: z.array(SaleReturn),
  exchange_of_sale: LinkedSale.nullable(),
  exchanges: z.array(LinkedSale),
});

const EMBEDS = [
  cashboxEmbed,
  clientEmbed,
  { ...creatorEmbed, field: 'cashier' },
  neighbour('exchange_of_sale', sales.type),
];

/** As many cheques as one can be exchanged into. */
const MOST_EXCHANGES = 100;

/** Reads the card of a cheque. 404 as for the cheque itself. Part 2, "Sales". */
export async function checkDetail(actor: Staff, id: number): Promise<z.input<typeof CheckDetail>> {
  const exchanged = {
    where: [equals('exchange_of_sale_id', id)],
    sort: { field: 'id', descending: false },
    page: 1,
    pageSize: MOST_EXCHANGES,
  };
  const [sale, returns, exchanges] = await Promise.all([
    get(actor, id, EMBEDS),
    readReturns({ type: sales.type, home: actor.home, id }),
    listItems(sourceOf(sales, actor.home), exchanged),
  ]);
  return vouched(CheckDetail, { ...sale, returns, exchanges: exchanges.rows });
}
