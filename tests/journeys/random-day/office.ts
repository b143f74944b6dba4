import { RepricingInput } from '#lib/trade/repricing/input.ts';
import * as repricing from '#lib/trade/repricing/reprice.ts';
import { recordCounts } from '#lib/trade/stocktake/counting/record-counts.ts';
import { cancelStocktake, completeStocktake } from '#lib/trade/stocktake/end.ts';
import { stocktakes } from '#lib/trade/stocktake/record.ts';
import { StocktakeInput } from '#lib/trade/stocktake/scope.ts';
import * as counting from '#lib/trade/stocktake/show.ts';
import { start } from '#lib/trade/stocktake/start.ts';
import { ONE } from '#lib/values/quantity.ts';
import { type Day, documentsOf } from './day.ts';
import { goodsOf, type Makings } from './step.ts';

const at = () => Date.now();

/** Steps of counts of the second warehouse, and of new prices. */
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
    const products = goodsOf(day, how).map(({ product_id }, index) => ({
      product_id,
      price_type_id: how.pick % 4 ? null : day.priceTypeId,
      sale_price: 5000 + ((how.pick + index) % 9) * 100,
      sale_currency: 'uzs',
    }));
    const input = RepricingInput.parse({ company_id: day.companyId, products });
    return (saveResponse) => repricing.create(actor, input, { at: at(), locale: 'ru' }, saveResponse);
  },
} satisfies Makings;

async function openCount({ tenant }: Day) {
  return (await documentsOf(tenant, stocktakes)).find(({ status }) => status === 'in_progress');
}
