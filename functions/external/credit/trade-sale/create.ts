import { endpoint } from '#lib/http/endpoint.ts';
import { CreditInput } from '#lib/trade/credit/agreement.ts';
import { CreditSale, sellOnCredit } from '#lib/trade/credit/sell.ts';

export const POST = endpoint({
  right: 'external',
  strict: true,
  body: CreditInput,
  figure: 'sales',
  response: CreditSale,
  note:
    "The prices are the agreement's: `is_free_price` does not hold, but none goes under `min_price` or " +
    "`min_price_percent`, unless it is the product's own. `initial_payment` " +
    'comes into the desk in cash and must be less than the total; the rest comes by `bank`. The client ' +
    'with that main phone keeps the name they have, and is restored if deleted. An external id counts ' +
    'for its key, letter case included: the same again gives the same sale, and with another agreement, ' +
    'client or goods it is 409. A line of a marked product has `marks`, as a sale’s. `creator_id` of what such ' +
    'a call creates is the director of its company, deleted or not: the first made of several, that of the ' +
    'main company for a branch without one.',
  run: ({ actor, body, at }) => sellOnCredit(actor, body, at),
});
