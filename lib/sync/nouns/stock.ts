import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { among, withinReachOf } from '#lib/access/keeper.ts';
import { vouch } from '#lib/records/stored.ts';
import { Balance, balanceKey } from '#lib/stock/balance.ts';
import { StockProduct, stockProducts } from '#lib/stock/stock-product.ts';
import { SupplierOperation, supplierOperations } from '#lib/stock/supplier/operation.ts';
import { SUPPLIER_BALANCES, Supplier, suppliers } from '#lib/stock/supplier/supplier.ts';
import { allWarehouses, Warehouse, warehouseKey, warehouses } from '#lib/stock/warehouse.ts';
import { type CopiedNoun, copyOf, EMBEDDED, type Head, type Shown, type View } from '#lib/sync/copy/copy.ts';
import { copyWithSums } from '#lib/sync/copy/with-sums.ts';
import { all } from '#lib/table/expression.ts';
import { getItems } from '#lib/table/read/get.ts';
import { byCurrency, Sums } from '#lib/values/money.ts';

const Row = z.object({ stock_id: z.int(), product_id: z.int() });
const CopiedProduct = StockProduct.omit({ product: true, stock: true, company: true });
const CopiedSupplier = Supplier.omit(EMBEDDED).extend({ balances: Sums });

/** The copies of a family's warehouses, of what is in them, and of suppliers. */
export const stockCopies: readonly CopiedNoun[] = [
  copyOf(warehouses, Warehouse.omit(EMBEDDED), { reach: (actor) => withinReachOf(actor, actor.warehouses) }),
  copyOf(stockProducts, CopiedProduct, { reach: readOpenWarehouses, show: showBalances }),
  copyWithSums(suppliers, CopiedSupplier, SUPPLIER_BALANCES, () => (sums) => ({
    balances: byCurrency((currency) => sums[currency]),
  })),
  copyOf(supplierOperations, SupplierOperation.omit({ creator: true })),
];

/** Finds the warehouses open to a caller, by which balances are reached. One round trip if not all are. */
async function readOpenWarehouses(actor: Staff) {
  const open = withinReachOf(actor, actor.warehouses);
  if (open.length === 0) return [];
  const found = (await allWarehouses(actor.home)).filter(all(open).matches);
  return among(
    'stock_id',
    found.map(({ id }) => id),
  );
}

/** Shows rows of balances as these are by now, with the company of their warehouse. One round trip. */
async function showBalances(heads: readonly Head[], { actor: { home } }: View): Promise<Shown[]> {
  const rows = heads.map((head) => Row.parse(head));
  const [balances, places] = await Promise.all([
    getItems(rows.map(({ stock_id, product_id }) => balanceKey(home, stock_id, product_id))),
    getItems(rows.map(({ stock_id }) => warehouseKey(home, stock_id))),
  ]);
  return heads.map((head, index) => {
    const { quantity, batches, version } = vouch(Balance, balances[index]);
    const { company_id } = vouch(Warehouse, places[index]);
    const shown = batches.map(({ left, ...batch }) => ({ ...batch, quantity: left }));
    return { record: { ...head, company_id, quantity, batches: shown }, revision: head.version + version };
  });
}
