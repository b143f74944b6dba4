import { deskEmbed } from '#lib/cash/desk/desk.ts';
import { clientEmbed } from '#lib/clients/client.ts';
import { familyEmbeds, familyFilters } from '#lib/people/family-record.ts';
import { exact } from '#lib/records/query/filters.ts';
import { documentQuery, embedQuery } from '#lib/records/query/list-query.ts';
import { warehouseEmbed } from '#lib/stock/warehouse.ts';
import { documentsWithLines } from '#lib/trade/document/show.ts';
import { Id } from '#lib/values/fields.ts';
import { Currency } from '#lib/values/money.ts';
import { Sale, SaleLine, sales } from './record.ts';

const embeds = { ...familyEmbeds, cashbox: deskEmbed, stock: warehouseEmbed, client: clientEmbed };

/** The list's query string. */
export const SaleList = documentQuery({
  filters: {
    ...familyFilters,
    cashbox_id: exact('cashbox_id', Id),
    stock_id: exact('stock_id', Id),
    client_id: exact('client_id', Id),
    currency: exact('currency', Currency),
    source_type: exact('source_type', Sale.shape.source_type),
    exchange_of_sale_id: exact('exchange_of_sale_id', Id),
    status: exact('status', Sale.shape.status),
  },
  sorts: ['id'],
  embeds,
  pageSize: 20,
});

/** The query string of a single cheque. */
export const SaleEmbeds = embedQuery({ embeds });

/**
 * List the cheques of the desks open to the caller, and get one with all its lines, as a return names them.
 * Only a cheque of many large bundles has so many that the last are shown without their products.
 */
export const { list, get } = documentsWithLines(
  { ...sales, line: SaleLine },
  { lines: Number.POSITIVE_INFINITY, cards: 300 },
);
