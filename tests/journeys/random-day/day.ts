import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { parseStored } from '#lib/records/stored.ts';
import { familyTenant, partition, type Tenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import type { Direction } from '#lib/values/money.ts';
import { addProduct } from '#tests/support/catalog.ts';
import { addClient, newClientWithTariff } from '#tests/support/clients.ts';
import { directorAs, newCompany } from '#tests/support/family.ts';
import { call } from '#tests/support/http.ts';
import { make } from '#tests/support/records.ts';
import { newService } from '#tests/support/services.ts';
import { enableShifts } from '#tests/support/shifts.ts';
import { newShop, type Shop, setRate } from '#tests/support/shop.ts';
import { newWarehouse, receiveGoods } from '#tests/support/stock.ts';
import { insertUser } from '#tests/support/users.ts';

const Made = z.object({ id: z.int() });

/** What coins of other currencies are worth: a sum seldom is so many of them. */
export const RATES = {
  main: { uzs: 1, usd: 12_000, eur: 13_001.37, rub: 139.99 },
  branch: { uzs: 1, usd: 12_500, eur: 13_700.01, rub: 141.5 },
} as const;

/**
 * A family with two warehouses and three desks, at which there are shifts, and a branch with its own, without
 * shifts: people work side by side.
 */
export interface Day {
  readonly companyId: number;
  readonly tenant: Tenant;
  readonly actors: readonly Staff[];
  /** The warehouses of the family, the branch's last. */
  readonly stockIds: readonly number[];
  readonly cashboxIds: readonly number[];
  readonly branch: Branch;
  readonly productIds: readonly number[];
  /** A bundle of the first two products. */
  readonly bundleId: number;
  /** A service that costs something, with VAT of the company. */
  readonly serviceId: number;
  readonly clientIds: readonly number[];
  /** Type of prices of the first two products, by which the last client buys. */
  readonly priceTypeId: number;
  readonly supplierId: number;
  /** An item of income and one of expense. */
  readonly reasons: Readonly<Record<Direction, number>>;
}

/** A second company, with a warehouse and a desk of its own. */
interface Branch {
  readonly companyId: number;
  readonly stockId: number;
  readonly cashboxId: number;
}

/** Opens the warehouses with real receipts, in two currencies, and the desks with sums for change. */
export async function newDay(people: number): Promise<Day> {
  const shop = await newShop();
  const { companyId, director: token } = shop;
  await setRates(shop, 'main');
  const desk = (name: string) => make('/company/cashbox/cashbox', token, { name, type: 'sale' });
  const reason = (type: string) => make('/company/cashbox/reason', token, { type, name: 'Other' });
  const [secondId, supplierId, plain, earning, income, outcome, ...desks] = await Promise.all([
    newWarehouse(token, 'Second'),
    make('/company/stock/supplier', token, { name: 'Ulgurji' }),
    addClient(shop),
    newClientWithTariff(shop, 5),
    reason('income'),
    reason('outcome'),
    desk('Desk 2'),
    desk('Desk 3'),
  ]);
  const cards = await Promise.all(
    Array.from({ length: 4 }, (_, index) => addProduct(token, shop.catalog, { name: `Tea ${index}` })),
  );
  const productIds = cards.map(({ body }) => Made.parse(body).id);
  const priceTypeId = await setTypePrices(token, productIds.slice(0, 2), earning);
  const [branch, bundleId] = await Promise.all([
    newBranch(shop),
    make('/company/product/bundle', token, {
      name: 'Breakfast',
      price: 9000,
      products: productIds.slice(0, 2).map((product_id) => ({ product_id, quantity: 1 })),
    }),
  ]);
  const stockIds = [shop.stockId, secondId, branch.stockId];
  for (const stock_id of stockIds) {
    for (const [currency, cost] of [
      ['uzs', 1234.56],
      ['usd', 0.37],
    ] as const) {
      const products = productIds.map((product_id) => ({ product_id, quantity: 20, cost }));
      await receiveGoods(token, { stock_id, supplier_id: supplierId, currency, products });
    }
  }
  const cashboxIds = [shop.cashboxId, ...desks, branch.cashboxId];
  for (const cashbox_id of cashboxIds) {
    const change = { payment_type: 'cash', currency: 'uzs', amount: 50_000 };
    await make('/company/cashbox/operation', token, {
      ...{ cashbox_id, type: 'income', ...change },
      reason_id: income,
    });
  }
  await enableShifts(shop);
  const place = { type: 'director', company_id: companyId, family_id: companyId } as const;
  const users = await Promise.all(Array.from({ length: people }, () => insertUser(place)));
  return {
    companyId,
    tenant: familyTenant(companyId),
    actors: users.map(({ id }) => directorAs(id, companyId)),
    stockIds,
    cashboxIds,
    branch,
    productIds,
    bundleId,
    serviceId: await newService(shop, { price: 3333.33, cost: 1000.01 }),
    clientIds: [plain, earning],
    priceTypeId,
    supplierId,
    reasons: { income, outcome },
  };
}

/** Creates a price type with prices of products, by which a client buys. */
async function setTypePrices(token: string, productIds: readonly number[], client: number): Promise<number> {
  const price_type_id = await make('/company/product/price-type', token, { name: 'Ulgurji' });
  const prices = [{ price_type_id, price: 4321.5, currency: 'uzs' }];
  for (const id of productIds)
    await call(`PATCH /company/product/product/${id}`, { token, json: { prices } });
  await call(`PATCH /company/client/client/${client}`, { token, json: { price_type_id } });
  return price_type_id;
}

async function newBranch(shop: Shop): Promise<Branch> {
  const companyId = await newCompany(shop.companyId);
  const place = { company_id: companyId, family_id: shop.companyId, are_all_companies_available: false };
  const { token } = await insertUser({ type: 'director', ...place });
  const [stockId, cashboxId] = await Promise.all([
    newWarehouse(token, 'Branch'),
    make('/company/cashbox/cashbox', token, { name: 'Branch desk', type: 'sale' }),
    setRates({ ...shop, director: token }, 'branch'),
  ]);
  return { companyId, stockId, cashboxId };
}

async function setRates(shop: Shop, of: keyof typeof RATES): Promise<void> {
  for (const currency of ['usd', 'eur', 'rub'] as const) await setRate(shop, currency, RATES[of][currency]);
}

/** Reads all documents of a type as the table holds them. */
export async function documentsOf<S extends z.ZodType>(
  tenant: Tenant,
  { type, schema }: { readonly type: string; readonly schema: S },
): Promise<z.input<S>[]> {
  return (await wholePartition(partition(type, tenant))).map((item) => parseStored(schema, item));
}
