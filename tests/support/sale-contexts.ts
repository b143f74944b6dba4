import { NO_MONEY } from '#lib/cash/desk/money.ts';
import { StockLevels } from '#lib/stock/stock-levels.ts';
import { familyTenant } from '#lib/table/keys.ts';
import type { SaleContext } from '#lib/trade/sale/sale-context.ts';
import { ONE } from '#lib/values/quantity.ts';
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
