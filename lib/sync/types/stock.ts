import * as z from 'zod';
import { among, withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { parseRecord, parseStored } from '#lib/records/stored.ts';
import { StockLevel, stockLevelKey } from '#lib/stock/stock-level.ts';
import { StockLevelRow, stockLevelRows } from '#lib/stock/stock-level-row.ts';
import { SupplierOperation, supplierOperations } from '#lib/stock/supplier/operation.ts';
import { SUPPLIER_BALANCES, Supplier, suppliers } from '#lib/stock/supplier/supplier.ts';
import { allWarehouses, Warehouse, warehouseKey, warehouses } from '#lib/stock/warehouse.ts';
import {
  defineSync,
  EMBEDDED,
  type RecordHeader,
  type RequestedRecord,
  readHeads,
  type ShownRecord,
  type SyncDefinitions,
  type Viewer,
} from '#lib/sync/definition/definition.ts';
import { defineSyncWithBalances } from '#lib/sync/definition/with-balances.ts';
import { all } from '#lib/table/expression.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { byCurrency, Sums } from '#lib/values/money.ts';

const Row = z.object({ stock_id: z.int(), product_id: z.int() });
const CopiedProduct = StockLevelRow.omit({ product: true, stock: true, company: true });
const CopiedSupplier = Supplier.omit(EMBEDDED).extend({ balances: Sums });

/** Sync of warehouses, stock levels and suppliers. */
export const stockSync = {
  'stock.stock': () =>
    defineSync(warehouses, Warehouse.omit(EMBEDDED), {
      reach: (actor) => withinReachOf(actor, actor.warehouses),
    }),
  'stock.product': () =>
    defineSync(stockLevelRows, CopiedProduct, {
      reach: (actor) => among('stock_id', actor.warehouses),
      further: openWarehouses,
      find: findRows,
      show: showBalances,
    }),
  'stock.supplier': () =>
    defineSyncWithBalances(suppliers, CopiedSupplier, SUPPLIER_BALANCES, () => (sums) => ({
      balances: byCurrency((currency) => sums[currency]),
    })),
  'stock.supplier.operation': () => defineSync(supplierOperations, SupplierOperation.omit({ creator: true })),
} satisfies SyncDefinitions;

/**
 * Returns the reader of the warehouses of a caller's companies: a stock level's company is that of its
 * warehouse.
 */
function openWarehouses(actor: Staff) {
  if (actor.companies === 'all') return undefined;
  const { matches } = all(withinReachOf(actor));
  return async () => {
    const found = (await allWarehouses(actor.tenant)).filter(matches);
    return among(
      'stock_id',
      found.map(({ id }) => id),
    );
  };
}

/** Version of a header that is known by its warehouse only and still to be read. */
const UNREAD = 0;

/** Finds headers of stock levels: a known warehouse suffices until they are shown. */
async function findRows(
  tenant: Tenant,
  requested: readonly RequestedRecord[],
): Promise<(RecordHeader | undefined)[]> {
  const isKnown = requested.every(({ stockId }) => typeof stockId === 'number');
  if (!isKnown) return readHeads(stockLevelRows.type, tenant, requested);
  return requested.map(({ id, stockId }) => ({ id, version: UNREAD, stock_id: stockId }));
}

/**
 * Shows stock levels in their current state, with the company of their warehouse. One round trip, and one
 * before it if headers are still to be read.
 */
async function showBalances(
  heads: readonly RecordHeader[],
  view: Viewer,
): Promise<(ShownRecord | undefined)[]> {
  const { tenant } = view.actor;
  const rows = await readRows(tenant, heads);
  const known = rows.flatMap((row) => (row ? [Row.parse(row)] : []));
  const [balances, places] = await Promise.all([
    getItems(known.map(({ stock_id, product_id }) => stockLevelKey(tenant, stock_id, product_id))),
    getItems(known.map(({ stock_id }) => warehouseKey(tenant, stock_id))),
  ]);
  const shown = known.map((_, index) => {
    const place = parseRecord(Warehouse, places[index]);
    return { ...parseStored(StockLevel, balances[index]), place };
  });
  const byId = new Map(shown.map((each) => [each.id, each]));
  return rows.map((row) => {
    const balance = row && byId.get(row.id);
    if (!balance) return undefined;
    const { quantity, batches, place } = balance;
    const left = batches.map(({ left: quantity, ...batch }) => ({ ...batch, quantity }));
    const record = { ...row, company_id: place.company_id, quantity, batches: left };
    return { record, revision: row.version + balance.version + place.version };
  });
}

/** Reads the headers that are known by their warehouses only. No round trip if there are none. */
async function readRows(
  tenant: Tenant,
  heads: readonly RecordHeader[],
): Promise<(RecordHeader | undefined)[]> {
  const unread = heads.filter(({ version }) => version === UNREAD);
  if (unread.length === 0) return [...heads];
  const read = await readHeads(stockLevelRows.type, tenant, unread);
  const byId = new Map(read.flatMap((row) => (row ? [[row.id, row]] : [])));
  return heads.map((head) => (head.version === UNREAD ? byId.get(head.id) : head));
}
