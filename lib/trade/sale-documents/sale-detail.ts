import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { Desk, deskEmbed } from '#lib/cash/desk/desk.ts';
import { Client, clientEmbed } from '#lib/clients/client.ts';
import { Colleague, creatorEmbed } from '#lib/people/user/colleague.ts';
import { sameTenantReference } from '#lib/records/query/embeds.ts';
import { parseStored } from '#lib/records/stored.ts';
import { recordKey } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { get } from '#lib/trade/sale/read.ts';
import { Sale, SaleWithLines, sales } from '#lib/trade/sale/record.ts';
import { readReturns, SaleReturn } from '#lib/trade/sale/returns-of.ts';

/** Summary of a linked sale, whose desk may not be open to the caller. */
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

/** Full details of a sale. Contract 9.69. */
export const SaleDetail = SaleWithLines.extend({
  cashbox: Desk.nullable(),
  /** Creator of the sale. */
  cashier: Colleague.nullable(),
  client: Client.nullable(),
  returns: z.array(SaleReturn),
  exchange_of_sale: LinkedSale.nullable(),
  exchanges: z.array(LinkedSale),
});

const EMBEDS = [
  deskEmbed,
  clientEmbed,
  { ...creatorEmbed, field: 'cashier' },
  sameTenantReference('exchange_of_sale', sales.type),
];

/** Reads the details of a sale. 404 as for the sale itself. Part 2, "Sales". */
export async function saleDetail(actor: Staff, id: number): Promise<z.input<typeof SaleDetail>> {
  const { tenant } = actor;
  const [sale, returns] = await Promise.all([
    get(actor, id, EMBEDS),
    readReturns({ type: sales.type, tenant, id }),
  ]);
  const exchanges = await getItems(
    returns.flatMap(({ exchange_sale_id: made }) =>
      made === null ? [] : recordKey(sales.type, tenant, made),
    ),
  );
  return parseStored(SaleDetail, { ...sale, returns, exchanges });
}
