import * as z from 'zod';
import { readLinesOfAll } from '#lib/records/lines.ts';
import type { Item } from '#lib/table/client.ts';
import { NotYet } from '#lib/table/journal/contention.ts';
import type { Tenant } from '#lib/table/keys.ts';
import type { CellForm } from '#lib/table/rollups/cell.ts';
import { DEFAULT_UPDATE_SIZE, type Fact, type RollupKind } from '#lib/table/rollups/kind.ts';
import { packsOfReturn, readReturnsAt, SALE_RETURN } from '#lib/trade/sale/returns-of.ts';
import { mapConcurrent, splitEvery } from '#lib/values/concurrency.ts';
import { Currency } from '#lib/values/money.ts';
import { dayOf } from '#lib/values/time.ts';
import { ReturnedHeader, SoldHeader } from './headers.ts';

/** Documents whose lines are read at once, and concurrent reads. */
const STEP = 100;
const SIDE_BY_SIDE = 8;

/** A cell's key is a product, or a service, and a currency; its sums are quantity, amount and cost. */
export const GOODS_FORM: CellForm = { numbers: 2, sums: 3 };

const BASE = {
  edition: 1,
  ...GOODS_FORM,
  ...DEFAULT_UPDATE_SIZE,
  /** An update holds all lines of its headers in memory. */
  max: 1000,
} as const;

/** Fields of goods beside their desk. */
const OfGoods = { stock_id: z.int(), products_count: z.int() };

const SoldGoodsHeader = SoldHeader.extend(OfGoods);

type Moved = Omit<z.output<typeof SoldGoodsHeader>, 'sold_at' | 'products_count'>;

/** Fields of a sale's line that stay when goods are returned. */
const SoldLine = z.object({
  product_id: z.int(),
  sold_quantity: z.int(),
  amount: z.int(),
  cost: z.int(),
});

/**
 * Sold goods by product and currency, in a rollup per day: of a desk and warehouse, and of all desks of a
 * company and warehouse. Part 4, 4.5.
 */
export const soldGoodsRollups: RollupKind = {
  ...BASE,
  name: 'sold-goods',
  source: 'sale',
  only: Object.keys(SoldGoodsHeader.shape),
  factsOf: (tenant, headers) => inSteps(headers, (step) => factsOfSales(tenant, step)),
};

const ReturnedGoodsHeader = ReturnedHeader.extend({
  sale_id: z.int(),
  report_stock_id: z.int(),
  products_count: z.int(),
});

/**
 * Returned goods in the same form. An exchange counts at the desk and warehouse of its new sale. Part 4, 4.5,
 * 3.
 */
export const returnedGoodsRollups: RollupKind = {
  ...BASE,
  name: 'returned-goods',
  source: SALE_RETURN,
  only: Object.keys(ReturnedGoodsHeader.shape),
  factsOf: (tenant, headers) => inSteps(headers, (step) => factsOfReturns(tenant, step)),
};

const SoldServicesHeader = SoldHeader.extend({
  stock_id: z.int(),
  services: z
    .array(z.object({ service_id: z.int(), quantity: z.int(), amount: z.int(), cost: z.int() }))
    .default([]),
});

/** Sold services in the same form, in the place of products. Part 5, 5A.1, 5. */
export const soldServicesRollups: RollupKind = {
  ...BASE,
  name: 'sold-services',
  source: 'sale',
  only: Object.keys(SoldServicesHeader.shape),
  factsOf: (_, headers) => Promise.resolve(headers.flatMap(factsOfServices)),
};

const ReturnedServicesHeader = ReturnedGoodsHeader.extend({ services_count: z.int().default(0) });

/** Returned services in the same form. */
export const returnedServicesRollups: RollupKind = {
  ...BASE,
  name: 'returned-services',
  source: SALE_RETURN,
  only: Object.keys(ReturnedServicesHeader.shape),
  factsOf: (tenant, headers) => inSteps(headers, (step) => factsOfReturnedServices(tenant, step)),
};

function factsOfServices(header: Item): Fact[] {
  const { services, ...sale } = SoldServicesHeader.parse(header);
  return factsOf(
    sale,
    sale.sold_at,
    services.map(({ service_id, quantity, amount, cost }) => ({
      of: service_id,
      sums: [quantity, amount, cost],
    })),
  );
}

async function factsOfReturnedServices(tenant: Tenant, headers: readonly Item[]): Promise<Fact[]> {
  const all = headers.map((header) => ReturnedServicesHeader.parse(header));
  const returns = all.filter(({ services_count }) => services_count > 0);
  const found = await readReturnsAt(
    tenant,
    returns.map((each) => ({ ...each, packs: 1 })),
  );
  return returns.flatMap(({ report_stock_id: stock_id, ...each }, index) =>
    factsOf(
      { ...each, stock_id },
      each.created_at,
      (found[index]?.services ?? []).map(({ service_id, returned_quantity, amount, cost }) => ({
        of: service_id,
        sums: [returned_quantity, amount, cost],
      })),
    ),
  );
}

/** Returns the groups of a company's warehouse: of all its desks, and of one desk. */
function groupsOf({ company_id, cashbox_id, stock_id }: Moved): string[] {
  return [`${company_id}.${stock_id}`, `${company_id}.${stock_id}.${cashbox_id}`];
}

/** Owner of the goods in a rollup. */
export interface GoodsPlace {
  readonly company: number;
  readonly stock: number;
  /** Undefined if the goods are of all desks of the company. */
  readonly desk: number | undefined;
}

/** Parses the place of a group. */
export function placeOfGroup(group: string): GoodsPlace {
  const [company = 0, stock = 0, desk] = group.split('.').map(Number);
  return { company, stock, desk };
}

async function factsOfSales(tenant: Tenant, headers: readonly Item[]): Promise<Fact[]> {
  const sales = headers.map((header) => SoldGoodsHeader.parse(header));
  const found = await readLinesOfAll(
    sales.map(({ id, products_count: count }) => ({ place: { type: 'sale', tenant, id }, count })),
  );
  return sales.flatMap((sale, index) => {
    const lines = found[index];
    if (!lines) throw new NotYet();
    return factsOf(
      sale,
      sale.sold_at,
      lines.map((each) => {
        const { product_id, sold_quantity, amount, cost } = SoldLine.parse(each);
        return { of: product_id, sums: [sold_quantity, amount, cost] };
      }),
    );
  });
}

async function factsOfReturns(tenant: Tenant, headers: readonly Item[]): Promise<Fact[]> {
  const returns = headers.map((header) => ReturnedGoodsHeader.parse(header));
  const found = await readReturnsAt(
    tenant,
    returns.map((each) => ({ ...each, packs: packsOfReturn(each) })),
  );
  return returns.flatMap(({ report_stock_id: stock_id, ...each }, index) => {
    const lines = found[index]?.products ?? [];
    if (lines.length < each.products_count) throw new NotYet();
    return factsOf(
      { ...each, stock_id },
      each.created_at,
      lines.map(({ product_id, returned_quantity, amount, cost }) => ({
        of: product_id,
        sums: [returned_quantity, amount, cost],
      })),
    );
  });
}

function factsOf(
  place: Moved,
  at: number,
  lines: readonly { readonly of: number; readonly sums: readonly number[] }[],
): Fact[] {
  const [period, currency] = [dayOf(at), Currency.options.indexOf(place.currency)];
  return groupsOf(place).flatMap((group) =>
    lines.map(({ of, sums }) => ({ id: place.id, group, period, of: [of, currency], sums })),
  );
}

/** Computes the facts of headers whose lines are read, some at once. */
export async function inSteps(
  headers: readonly Item[],
  factsOfStep: (step: Item[]) => Promise<Fact[]>,
): Promise<Fact[]> {
  return (await mapConcurrent(splitEvery(headers, STEP), SIDE_BY_SIDE, factsOfStep)).flat();
}
