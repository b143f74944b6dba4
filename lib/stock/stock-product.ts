import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { fullText, ProductCard, products } from '#lib/catalog/product-card.ts';
import { Company, companyEmbed } from '#lib/people/company.ts';
import { openTo } from '#lib/people/workplace.ts';
import { type DocumentType, getDocument, listDocuments } from '#lib/records/documents.ts';
import { type Embed, neighbour, reference } from '#lib/records/embeds.ts';
import { exact, exactOrList } from '#lib/records/filters.ts';
import { documentQuery, type ListQuery, pageQuery } from '#lib/records/list-query.ts';
import { vouched } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import type { Home } from '#lib/table/keys.ts';
import type { Page } from '#lib/table/list-request.ts';
import { getItem } from '#lib/table/reads.ts';
import { Id } from '#lib/values/fields.ts';
import { Quantity } from '#lib/values/quantity.ts';
import { Timestamp } from '#lib/values/time.ts';
import { BALANCE_INDEXES, Balance, balanceKey, STOCK_PRODUCT } from './balance.ts';
import { Part } from './batch.ts';
import { type Movement, movementsOf, PAGE } from './movement.ts';
import { Warehouse, warehouseEmbed } from './warehouse.ts';

const Row = z.object({
  id: z.int(),
  company_id: z.int(),
  stock_id: z.int(),
  product_id: z.int(),
  created_at: Timestamp,
});

/** What a warehouse has of a product, with the batches it is made of. Decisions, sections 4 and 7. */
export const StockProduct = Row.extend({
  quantity: Quantity,
  /** `quantity` is what is left of the batch. */
  batches: z.array(Part),
  product: ProductCard.nullish(),
  stock: Warehouse.nullish(),
  company: Company.nullish(),
});

const rows = {
  type: STOCK_PRODUCT,
  indexes: BALANCE_INDEXES,
  reach: (actor: Staff) => openTo(actor, actor.warehouses, 'stock_id'),
};

const stockProducts: DocumentType<typeof StockProduct> = { ...rows, schema: StockProduct };
const bareRows: DocumentType<typeof Row> = { ...rows, schema: Row };

const product = neighbour('product', products.type, fullText);

/** The list's query string. */
export const StockProductList = documentQuery({
  filters: {
    id: exactOrList('id', Id),
    company_id: exact('company_id', Id),
    stock_id: exactOrList('stock_id', Id),
    product_id: exactOrList('product_id', Id),
  },
  sorts: ['id'],
  embeds: { product, stock: warehouseEmbed, company: companyEmbed },
  pageSize: 20,
});

/** The query string of a balance's movements. */
export const MovementList = pageQuery(20);

/** The balances of warehouses open to the caller. */
export function list(actor: Staff, query: ListQuery) {
  const embeds = [...balanceEmbeds(actor.home), ...query.embeds];
  return listDocuments(stockProducts, actor, { ...query, embeds });
}

/** One page of a balance's movements, the newest first. 404 where its warehouse is not open to the caller. */
export async function movements(
  actor: Staff,
  id: number,
  { page, pageSize }: z.output<typeof MovementList>,
): Promise<Page<z.input<typeof Movement>>> {
  const { home } = actor;
  const { stock_id, product_id } = await getDocument(bareRows, actor, id);
  const balance = vouched(Balance, await getItem(balanceKey(home, stock_id, product_id)));
  const total = balance.pages * PAGE + balance.recent.length;
  const to = Math.max(0, total - (page - 1) * pageSize);
  const range = { from: Math.max(0, to - pageSize), to };
  const found = to === 0 ? [] : await movementsOf(home, balance, range);
  return { rows: found.reverse(), total, page, pageSize };
}

/** The rows that list balances never change: what does is looked up, both fields in one. */
function balanceEmbeds(home: Home): Embed[] {
  return [
    balanceField(home, 'quantity', ({ quantity }) => quantity),
    balanceField(home, 'batches', ({ batches }) =>
      batches.map(({ left: quantity, ...batch }) => ({ ...batch, quantity })),
    ),
  ];
}

function balanceField(
  home: Home,
  field: string,
  shape: (balance: z.input<typeof Balance>) => unknown,
): Embed {
  const keyOf = ({ stock_id, product_id }: Item) => balanceKey(home, Number(stock_id), Number(product_id));
  return { ...reference(field, keyOf), shape: ([item]) => shape(vouched(Balance, item)) };
}
