import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { Desk, deskEmbed } from '#lib/cash/desk/desk.ts';
import { ProductCard } from '#lib/catalog/card.ts';
import { Client, clientEmbed } from '#lib/clients/client.ts';
import { Colleague, creatorEmbed } from '#lib/people/user/colleague.ts';
import { type DocumentType, listDocuments } from '#lib/records/documents.ts';
import { type Embed, sameTenantReference } from '#lib/records/query/embeds.ts';
import { MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { documentQuery, type ListQuery } from '#lib/records/query/list-query.ts';
import { amountsIn } from '#lib/records/query/totals.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { Warehouse, warehouseEmbed } from '#lib/stock/warehouse.ts';
import { all } from '#lib/table/expression.ts';
import type { Tenant } from '#lib/table/keys.ts';
import type { Page } from '#lib/table/read/request.ts';
import { fitLines, MAX_LINES_WITH_CARDS, MAX_RESPONSE_LINES } from '#lib/trade/document/response-size.ts';
import { withProducts } from '#lib/trade/document/show.ts';
import { Sale, sales } from '#lib/trade/sale/record.ts';
import { packsOfReturn, ReturnedLine, readReturnsAt, type SaleReturn } from '#lib/trade/sale/returns-of.ts';
import { ReturnHeader, ReturnRow, saleReturns, sameOf } from './record.ts';

/**
 * `with[]=products.product`: product cards of the lines, which are stored apart from the rows and read by
 * `list`.
 */
const cardsEmbed: Embed = { field: 'products.product', keysOf: () => [], shape: () => [] };

const embedded = {
  creator: Colleague.nullish(),
  cashbox: Desk.nullish(),
  client: Client.nullish(),
  stock: Warehouse.nullish(),
  sale: Sale.nullish(),
};

const ListedLine = ReturnedLine.extend({ product: ProductCard.nullish() });

/** Return in the list, with optional embeds. */
export const ListedReturn = ReturnRow.extend({ ...embedded, products: z.array(ListedLine).nullable() });

const ListedHeader = ReturnHeader.extend(embedded);

const listedReturns: DocumentType<typeof ListedHeader> = { ...saleReturns, schema: ListedHeader };

/** Query string of the list. */
export const ReturnList = documentQuery(saleReturns.filters, {
  sorts: ['id'],
  totals: amountsIn(ReturnHeader),
  lookingSorts: ['amount'],
  embeds: {
    'creator.profile': creatorEmbed,
    cashbox: deskEmbed,
    client: clientEmbed,
    stock: warehouseEmbed,
    sale: sameTenantReference('sale', sales.type),
    [cardsEmbed.field]: cardsEmbed,
  },
  pageSize: MAX_PAGE_SIZE,
});

/** Lists the returns made by desks open to the caller, each with its lines. */
export async function list(actor: Staff, query: ListQuery): Promise<Page<z.input<typeof ListedReturn>>> {
  const { tenant } = actor;
  const hasCards = query.embeds.includes(cardsEmbed);
  const embeds = query.embeds.filter((each) => each !== cardsEmbed);
  const page = await listDocuments(listedReturns, actor, { ...query, embeds });
  const headers = page.rows.map((row) => withinReach(actor, row));
  const whole = await readRows(tenant, headers, hasCards ? MAX_LINES_WITH_CARDS : MAX_RESPONSE_LINES);
  const lines = whole.map(({ lines }) => lines);
  const shown = fitLines(
    { row: ListedReturn.omit({ products: true }), line: ListedLine },
    whole.map(({ row }) => row),
    hasCards ? await withCards(tenant, lines) : lines,
  );
  return { ...page, rows: whole.map(({ row }, index) => ({ ...row, products: null, ...shown[index] })) };
}

/** Hides an embedded sale or warehouse out of the caller's reach. Part 5, 5B.7, 5. */
function withinReach(actor: Staff, row: z.input<typeof ListedHeader>): z.input<typeof ListedHeader> {
  const { sale, stock, ...others } = row;
  const isOpen = all(sales.reach?.(actor) ?? []);
  return {
    ...others,
    ...(sale !== undefined && { sale: sale && isOpen.matches(sale) ? sale : null }),
    ...(stock !== undefined && { stock: stock && warehouses.ifVisible(actor, { ...stock }) ? stock : null }),
  };
}

/**
 * Reads the parts of returns stored in their sales' history: comment, payouts, fiscal receipt and lines.
 * Lines are undefined beyond the limit of a response. A return is immutable but for its fiscal receipt, added
 * once, so header and history are consistent at any time. One round trip.
 */
async function readRows(tenant: Tenant, headers: readonly z.input<typeof ListedHeader>[], max: number) {
  let count = 0;
  const places = headers.map((header) => {
    count += header.products_count;
    const isRead = count <= max;
    return { ...header, isRead, packs: isRead ? packsOfReturn(header) : 1 };
  });
  const returns = await readReturnsAt(tenant, places);
  return places.map(({ isRead, packs: _, ...header }, index) => {
    const made: Partial<SaleReturn> = returns[index] ?? {};
    const { transactions = [], fiscal = null, products = [], services = [] } = made;
    const { vat_amount = 0, vat = [], written_off_amount } = made;
    const comments = [...products, ...services].map((line) => line.comment);
    const comment = header.has_one_comment ? sameOf(comments) : null;
    return {
      row: { ...header, comment, transactions, fiscal, services, vat_amount, vat, written_off_amount },
      lines: isRead ? products : undefined,
    };
  });
}

/** Embeds the product cards in the lines of rows. One round trip, and one more for variants. */
async function withCards(tenant: Tenant, linesOf: readonly (readonly ReturnedLine[] | undefined)[]) {
  const all = linesOf.flatMap((lines) => lines ?? []);
  const shown = await withProducts(ListedLine, tenant, all, all.length);
  let from = 0;
  return linesOf.map((lines) => {
    const start = from;
    from += lines?.length ?? 0;
    return lines && shown.slice(start, from);
  });
}
