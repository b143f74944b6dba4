import { Repricing } from '#lib/catalog/repricing/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import { LINES_NOTE } from '#lib/trade/document/response-size.ts';
import { RepricingInput } from '#lib/trade/repricing/input.ts';
import { submit } from '#lib/trade/repricing/plan.ts';
import * as repricings from '#lib/trade/repricing/repricing.ts';
import { RepricingList } from '#lib/trade/repricing/repricing.ts';
import { repricingSheet } from '#lib/trade/repricing/sheet.ts';

export const GET = listing({
  right: 'company.trade.recalculation-batch.index',
  query: RepricingList,
  rows: Repricing,
  sheet: repricingSheet,
  note:
    'Each batch includes the first 100 skipped rows and, with `with[]=products.product`, the first 20 lines ' +
    'with product cards. ' +
    LINES_NOTE,
  run: ({ actor, query, locale }) => repricings.list(actor, query, locale),
});

export const POST = endpoint({
  right: 'company.trade.recalculation-batch.store',
  idempotent: true,
  body: RepricingInput,
  response: Repricing,
  note:
    'A row is skipped with the reason `in_active_sale` if its product is in a sale draft of the company, ' +
    '`below_min_price` if its price is below the resulting minimum price of the product (that of the row, or ' +
    'the current one), `min_price_below_cost` if that minimum is below the latest cost of the product, ' +
    'converted at the rates of the batch, and `cost_without_rate` if that cost is in a currency without a ' +
    'rate. A product whose currency changes keeps its minimum price, converted: if that fails, the row is ' +
    'skipped with `min_price_without_rate` or `min_price_too_large`. A row without `min_price` or ' +
    '`min_price_percent` keeps the current one. A row with a `price_type_id` sets the price of the product by ' +
    'that type, and takes no minimum: it is skipped with `below_min_price` below the floor of the product, that ' +
    'of its row without a type included. A product may have a row of each type. The response includes the first 1 000 lines, the first 100 ' +
    'with product cards. With `starts_at` the batch is planned: it has its lines at once, and within a minute ' +
    'of that time it is made in the name of its creator. Rows that fail then are skipped, those of a deleted ' +
    'product with `product_not_found`, of a deleted price type with `price_type_not_found`, in a currency ' +
    'without a rate with `price_without_rate`, and the creator is notified. A batch without any row left, or of a company that is blocked or deleted by then, has failed.',
  run: ({ actor, body, at, locale, saveResponse }) => submit(actor, body, { at, locale }, saveResponse),
  reread: ({ actor, locale }, [id = 0]) => repricings.get(actor, id, locale),
});
