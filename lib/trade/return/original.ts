import type { Staff } from '#lib/auth/actor.ts';
import { keyOfRates, ratesFrom } from '#lib/cash/company-rates.ts';
import { type DeskState, deskIn, deskKeys } from '#lib/cash/desk/read.ts';
import { ClientBalances, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { debts } from '#lib/clients/debt/record.ts';
import { getDocumentToChange } from '#lib/records/documents.ts';
import { parseRecord, type Stored } from '#lib/records/stored.ts';
import type { Destination } from '#lib/stock/inflow.ts';
import { StockLevels, stockLevelKeys } from '#lib/stock/stock-levels.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { keyIfAny, recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { Contention } from '#lib/table/transaction/transact.ts';
import { readAllLines } from '#lib/trade/document/lines.ts';
import { type Sale, type SaleLine, sales } from '#lib/trade/sale/record.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { remainderOfLine } from './lines.ts';
import { hasForeignCash } from './purse.ts';
import { remainderOfService } from './services.ts';

/** Sale of a return, with all data that the return changes, as read. */
export interface Original {
  readonly sale: Stored<typeof sales.schema>;
  readonly lines: readonly SaleLine[];
  /**
   * Receiving warehouse, and desk: the named ones, or else the sale's. Undefined if gone, not open to the
   * caller or of another company.
   */
  readonly warehouse: (Destination & { readonly inventory_id?: number | null }) | undefined;
  readonly desk: DeskState | undefined;
  readonly debt: Stored<typeof debts.schema> | undefined;
  /** Balances of the client, deleted or not; undefined without a client. */
  readonly clientSums: ClientBalances | undefined;
  /** Earlier sales on debt that it was exchanged from, nearest first. */
  readonly origins: readonly EarlierSale[];
  /** Today's rates, for refunds of foreign cash; undefined without any. */
  readonly rates: ReturnType<typeof ratesFrom>['rates'] | undefined;
}

/** Desk and warehouse named by a return. */
interface NamedPlaces {
  readonly cashbox_id: number | null;
  readonly stock_id: number | null;
}

/** Earlier sale of an exchange chain, with its debt and its client's balances. */
export interface EarlierSale {
  readonly sale: Stored<typeof sales.schema>;
  readonly debt: Stored<typeof debts.schema>;
  readonly clientSums: ClientBalances | undefined;
}

/**
 * Reads the sale of a return. 404 as for the sale itself; 400 if nothing of it remains to be returned. Two
 * round trips.
 */
export async function readOriginal(
  actor: Staff,
  id: number,
  named: NamedPlaces = { cashbox_id: null, stock_id: null },
): Promise<Original> {
  const { tenant } = actor;
  const sale = await getDocumentToChange(sales, actor, id);
  const debtId = sale.transactions.find(({ debt_id }) => debt_id !== null)?.debt_id;
  const [lines, [deskItem, money, warehouseItem, debtItem, sums, rates], origins] = await Promise.all([
    readAllLines(sales, tenant, sale),
    getItems([
      ...deskKeys(actor, named.cashbox_id ?? sale.cashbox_id),
      warehouses.keyOf(actor, named.stock_id ?? sale.stock_id),
      keyIfAny(debtId, (debt) => recordKey(debts.type, tenant, debt)),
      keyIfAny(sale.client_id, (client) => clientBalancesKey(tenant, client)),
      hasForeignCash(sale) ? keyOfRates(tenant, sale.company_id) : undefined,
    ]),
    readOrigins(tenant, sale),
  ]);
  requireRemainder({ sale, lines });
  const warehouse = warehouses.ifVisible(actor, warehouseItem);
  const desk = deskIn(actor, [deskItem, money]);
  const isOfSaleCompany = warehouse?.company_id === sale.company_id;
  return {
    sale,
    lines,
    warehouse: isOfSaleCompany ? warehouse : undefined,
    desk: desk?.company_id === sale.company_id ? desk : undefined,
    debt: debtItem && parseRecord(debts.schema, debtItem),
    clientSums: sums && ClientBalances.parse(sums),
    origins,
    rates: rates && ratesFrom(rates).rates,
  };
}

/** Requires that a line or a service of a sale is not returned whole. 400 otherwise. */
export function requireRemainder({ sale: { services = [] }, lines }: Pick<Original, 'sale' | 'lines'>): void {
  const isLeft =
    lines.some((line) => remainderOfLine(line) > 0) ||
    services.some((service) => remainderOfService(service) > 0);
  if (!isLeft) throw badRequest('return.nothing_left');
}

/**
 * Requires that no stocktake has closed the warehouse that receives goods; services need none. 400 otherwise.
 */
export function requireOpenFor(
  { warehouse }: Pick<Original, 'warehouse'>,
  lines: readonly Pick<SaleLine, 'product_id'>[],
): void {
  const { inventory_id = null } = warehouse ?? {};
  if (lines.length > 0) warehouses.requireNoStocktake({ inventory_id });
}

async function readOrigins(tenant: Tenant, { origins }: Sale): Promise<EarlierSale[]> {
  const items = await getItems(
    origins.flatMap(({ sale_id, debt_id, client_id }) => [
      recordKey(sales.type, tenant, sale_id),
      recordKey(debts.type, tenant, debt_id),
      clientBalancesKey(tenant, client_id),
    ]),
  );
  return splitEvery(items, 3).map(([sale, debt, sums]) => ({
    sale: parseRecord(sales.schema, sale),
    debt: parseRecord(debts.schema, debt),
    clientSums: sums && ClientBalances.parse(sums),
  }));
}

/**
 * Reads the stock levels that receive returned goods. `Contention` if the sale has changed since it was read,
 * because its lines and debt may be newer than it. One round trip.
 */
export async function readReturnStockLevels(
  { tenant }: Staff,
  { sale }: Original,
  stockId: number,
  lines: readonly Pick<SaleLine, 'product_id'>[],
): Promise<StockLevels> {
  const productIds = [...new Set(lines.map(({ product_id }) => product_id))];
  const [now, ...rows] = await getItems([
    recordKey(sales.type, tenant, sale.id),
    ...stockLevelKeys(tenant, stockId, productIds),
  ]);
  if (now?.['version'] !== sale.version) throw new Contention();
  return new StockLevels(tenant, rows);
}
