import { repricings } from '#lib/catalog/repricing/record.ts';
import { CompanySettingsInput, edit } from '#lib/current-user/company-settings.ts';
import { RepricingInput } from '#lib/trade/repricing/input.ts';
import { cancel, submit } from '#lib/trade/repricing/plan.ts';
import { recordCounts } from '#lib/trade/stocktake/counting/record-counts.ts';
import { cancelStocktake, completeStocktake } from '#lib/trade/stocktake/end.ts';
import { stocktakes } from '#lib/trade/stocktake/record.ts';
import { StocktakeInput } from '#lib/trade/stocktake/scope.ts';
import * as counting from '#lib/trade/stocktake/show.ts';
import { start } from '#lib/trade/stocktake/start.ts';
import { ONE } from '#lib/values/quantity.ts';
import { dayOf, renderInstant } from '#lib/values/time.ts';
import { MONTH_IN_MINUTES, minuteFromNow } from '#tests/support/repricing.ts';
import { type Day, documentsOf } from './day.ts';
import { chosen, goodsOf, type How, type Makings } from './step.ts';

const at = () => Date.now();

const DAY_MS = 86_400_000;

/** Steps of counts of the second warehouse, of new prices, and of closing the books. */
export const OFFICE_STEPS = {
  countStart: async ({ stockIds, productIds }, actor, { pick }) => {
    const kind = pick % 2 ? { type: 'full' } : { type: 'partial', product_ids: productIds.slice(1) };
    const input = StocktakeInput.parse({ stock_id: stockIds[1], ...kind });
    return (saveResponse) => start(actor, input, at(), saveResponse);
  },
  countAdd: async (day, actor, how) => {
    const count = await openCount(day);
    if (!count) return undefined;
    const { products } = await counting.get(actor, count.id, []);
    const products_tmp = products.map(({ id, stock_quantity }, index) => {
      const change = (((how.pick + index) % 5) - 2) * 0.25 * ONE;
      return { stock_product_id: id, actual_quantity: Math.max(0, stock_quantity + change) };
    });
    return (saveResponse) => recordCounts(actor, count.id, { products_tmp }, { at: at(), saveResponse });
  },
  countComplete: async (day, actor) => {
    const count = await openCount(day);
    return (
      count &&
      ((saveResponse) => completeStocktake(actor, count.id, { at: at(), locale: 'ru' }, saveResponse))
    );
  },
  countCancel: async (day, actor) => {
    const count = await openCount(day);
    return count && ((saveResponse) => cancelStocktake(actor, count.id, at(), saveResponse));
  },
  reprice: async (day, actor, how) => {
    const input = RepricingInput.parse(pricesOf(day, how));
    return (saveResponse) => submit(actor, input, { at: at(), locale: 'ru' }, saveResponse);
  },
  repricePlan: async (day, actor, how) => {
    const starts_at = renderInstant(minuteFromNow(MONTH_IN_MINUTES + how.pick));
    const input = RepricingInput.parse({ ...pricesOf(day, how), starts_at });
    return (saveResponse) => submit(actor, input, { at: at(), locale: 'ru' }, saveResponse);
  },
  repriceCancel: async (day, actor, how) => {
    const all = await documentsOf(day.tenant, repricings);
    const planned = chosen(all, how, ({ status }) => status === 'planned');
    return planned && ((saveResponse) => cancel(actor, planned.id, saveResponse));
  },
  books: async (_, actor, { pick }) => {
    const books_closed_on = pick % 3 ? dayOf(at() - DAY_MS) : null;
    const input = CompanySettingsInput.parse({ sale_settings: { books_closed_on } });
    return () => edit(actor, input, at());
  },
} satisfies Makings;

function pricesOf(day: Day, how: How) {
  const products = goodsOf(day, how).map(({ product_id }, index) => ({
    product_id,
    price_type_id: how.pick % 4 ? null : day.priceTypeId,
    sale_price: 5000 + ((how.pick + index) % 9) * 100,
    sale_currency: 'uzs',
  }));
  return { company_id: day.companyId, products };
}

async function openCount({ tenant }: Day) {
  return (await documentsOf(tenant, stocktakes)).find(({ status }) => status === 'in_progress');
}
