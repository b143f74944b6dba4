import { NO_MONEY } from '#lib/cash/desk/money.ts';
import { StockLevels } from '#lib/stock/stock-levels.ts';
import { familyTenant } from '#lib/table/keys.ts';
import type { SaleFacts } from '#lib/trade/checkout/decide-sale.ts';
import type { SaleContext } from '#lib/trade/sale/sale-context.ts';
import { ONE } from '#lib/values/quantity.ts';
import { directorAs } from './family.ts';
import { newProductOf } from './products.ts';
import { newLevelOf } from './stock-levels.ts';

/** Rates of soums and dollars alone. */
export const SOME_RATES = { uzs: 100, usd: 1_200_000, eur: 0, rub: 0 };

/** Five pieces of product 1 at 100.00, one costing 60.00; minimum price 80.00. */
const card = newProductOf({ id: 1, min_price: 8000 });

const level = newLevelOf({
  quantity: 5 * ONE,
  batches: [{ id: 1, cost: 6000, currency: 'uzs', at: 0, left: 5 * ONE }],
});

const desk = { id: 2, company_id: 1, type: 'sale', money: NO_MONEY } as const;

/** Builds the facts, as read, of a sale at desk 2 and warehouse 3 of company 1. */
export function newSaleContextOf(given: Partial<SaleContext> = {}): SaleContext {
  return {
    found: { desk, warehouse: { company_id: 1 }, hasClient: true, hasPriceType: true },
    desk,
    warehouse: { id: 3, company_id: 1 },
    clientSums: undefined,
    bonusTerms: undefined,
    saleCurrency: 'uzs',
    pricing: { currency: 'uzs', rates: SOME_RATES, canDiscount: true },
    rates: [],
    priceTypes: [],
    limits: [],
    takesPayments: true,
    products: new Map([[1, card]]),
    bundles: new Map(),
    services: new Map(),
    ...{ vatPercent: null, mainCurrency: 'uzs', vat: [] },
    stockLevels: new StockLevels(familyTenant(1), [level]),
    firstLineId: 80,
    ...given,
  };
}

const noDeposits = { deposit_uzs: 0, deposit_usd: 0, deposit_eur: 0, deposit_rub: 0 };
const noDebts = { debt_uzs: 0, debt_usd: 0, debt_eur: 0, debt_rub: 0 };

/** Balances of a client who owes nothing, and has neither bonuses nor a deposit. */
export const NO_BALANCES = { ...noDebts, ...noDeposits, is_deleted: false, bonuses: {}, bonus_version: 0 };

/** Builds the facts of a sale by the director, to a client who may owe up to 300.00. */
export function newSaleFactsOf(
  given: Partial<SaleFacts> = {},
  context: Partial<SaleFacts['basis']> = {},
): SaleFacts {
  return {
    ids: { sale: 50, posting: 60, debt: 70, deposit: 80 },
    basis: newSaleContextOf({ clientSums: { ...NO_BALANCES, debt_limit_uzs: 30_000 }, ...context }),
    seller: directorAs(1, 1),
    quantities: [],
    accuracies: new Map(),
    ...given,
  };
}
