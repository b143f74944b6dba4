import * as z from 'zod';
import { among, withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { fullText, ProductCard, products } from '#lib/catalog/card.ts';
import { CompanySummary, companyEmbed } from '#lib/people/company/known.ts';
import { type DocumentType, getDocument, listDocuments } from '#lib/records/documents.ts';
import { type Embed, reference, sameTenantReference } from '#lib/records/query/embeds.ts';
import { exact, exactOrList, MAX_PAGE_SIZE } from '#lib/records/query/filters.ts';
import { documentQuery, type ListQuery, pageQuery } from '#lib/records/query/list-query.ts';
import { parseStored } from '#lib/records/stored.ts';
import type { Item } from '#lib/table/client.ts';
import { all, type Expression } from '#lib/table/expression.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import type { Page } from '#lib/table/read/request.ts';
import { notFound } from '#lib/values/api-error.ts';
import { Id } from '#lib/values/fields.ts';
import { Quantity } from '#lib/values/quantity.ts';
import { Timestamp } from '#lib/values/time.ts';
import { BatchPart } from './batch-part.ts';
import { type Movement, movementsIn, movementsOf } from './movement.ts';
import { STOCK_LEVEL_INDEXES, STOCK_LEVEL_ROW, StockLevel, stockLevelKey } from './stock-level.ts';
import { allWarehouses, Warehouse, warehouseEmbed, warehouseKey } from './warehouse.ts';

/** List row of a stock level. Its company is that of its warehouse, which may change. */
const Row = z.object({
  id: z.int(),
  stock_id: z.int(),
  product_id: z.int(),
  created_at: Timestamp,
});

/** Stock level of a product in a warehouse, with batches. Contract 4; Contract 7, "Balances". */
export const StockLevelRow = Row.extend({
  company_id: z.int(),
  quantity: Quantity,
  /** `quantity` is the remaining quantity of the batch. */
  batches: z.array(BatchPart),
  product: ProductCard.nullish(),
  stock: Warehouse.nullish(),
  company: CompanySummary.nullish(),
});

const rows = { type: STOCK_LEVEL_ROW, indexes: STOCK_LEVEL_INDEXES };

/** Document type of stock levels. */
export const stockLevelRows: DocumentType<typeof StockLevelRow> = {
  ...rows,
  copied: 'stock.product',
  schema: StockLevelRow,
};
const bareRows: DocumentType<typeof Row> = { ...rows, schema: Row };

const product = sameTenantReference('product', products.type, fullText);

/** `with[]=company`: company of the warehouse. */
const company: Embed = {
  ...sameTenantReference('stock', 'stock', companyEmbed),
  field: 'company',
  shape: ([warehouse]) => warehouse?.['company'] ?? null,
};

/** Query string of the list. */
export const StockLevelList = documentQuery(
  {
    id: exactOrList('id', Id),
    company_id: exact('company_id', Id),
    stock_id: exactOrList('stock_id', Id),
    product_id: exactOrList('product_id', Id),
  },
  { sorts: ['id'], embeds: { product, stock: warehouseEmbed, company }, pageSize: MAX_PAGE_SIZE },
);

/** Query string of a stock level's movements. */
export const MovementList = pageQuery(MAX_PAGE_SIZE);

/**
 * Lists the stock levels of warehouses open to the caller. Only the warehouse selects them, because a
 * company's stock levels are those of its present warehouses. The warehouses are read first: one more round
 * trip for a caller with limited reach.
 */
export async function list(actor: Staff, query: ListQuery) {
  const embeds = [...balanceEmbeds(actor.tenant), ...query.embeds];
  const where = await stockLevelConditions(actor, query);
  return listDocuments(stockLevelRows, actor, { ...query, where, embeds });
}

/** Returns the conditions of a query on stock levels within the caller's reach. */
export async function stockLevelConditions(
  actor: Staff,
  query: Pick<ListQuery, 'where'>,
): Promise<Expression[]> {
  const isOfCompany = ({ paths }: Expression) => paths.includes('company_id');
  const ofWarehouses = [...query.where.filter(isOfCompany), ...withinReachOf(actor, actor.warehouses)];
  const where = query.where.filter((each) => !isOfCompany(each));
  if (ofWarehouses.length > 0) {
    const open = (await allWarehouses(actor.tenant)).filter(all(ofWarehouses).matches);
    where.push(
      ...among(
        'stock_id',
        open.map(({ id }) => id),
      ),
    );
  }
  return where;
}

/**
 * Reads a page of a stock level's movements, newest first. 404 if its warehouse is not open to the caller.
 */
export async function movements(
  actor: Staff,
  id: number,
  { page, pageSize }: z.output<typeof MovementList>,
): Promise<Page<z.input<typeof Movement>>> {
  const { tenant } = actor;
  const { stock_id, product_id } = await getDocument(bareRows, actor, id);
  const [warehouse, item] = await getItems([
    warehouseKey(tenant, stock_id),
    stockLevelKey(tenant, stock_id, product_id),
  ]);
  if (!warehouse || !all(withinReachOf(actor, actor.warehouses)).matches(warehouse)) throw notFound();
  const balance = parseStored(StockLevel, item);
  const total = movementsIn(balance);
  const to = Math.max(0, total - (page - 1) * pageSize);
  const range = { from: Math.max(0, to - pageSize), to };
  const found = to === 0 ? [] : await movementsOf(tenant, balance, range);
  return { rows: found.reverse(), total, page, pageSize };
}

/** Builds the embeds of stock-level rows: the rows never change, so changing fields are looked up. */
function balanceEmbeds(tenant: Tenant): Embed[] {
  const ofWarehouse = reference('company_id', ({ stock_id }) => warehouseKey(tenant, Number(stock_id)));
  return [
    { ...ofWarehouse, shape: ([warehouse]) => warehouse?.['company_id'] },
    balanceField(tenant, 'quantity', ({ quantity }) => quantity),
    balanceField(tenant, 'batches', ({ batches }) =>
      batches.map(({ left: quantity, ...batch }) => ({ ...batch, quantity })),
    ),
  ];
}

function balanceField(
  tenant: Tenant,
  field: string,
  shape: (balance: z.input<typeof StockLevel>) => unknown,
): Embed {
  const keyOf = ({ stock_id, product_id }: Item) =>
    stockLevelKey(tenant, Number(stock_id), Number(product_id));
  return { ...reference(field, keyOf), shape: ([item]) => shape(parseStored(StockLevel, item)) };
}
