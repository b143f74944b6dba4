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
    'Prices are those of the agreement, regardless of `is_free_price`, but not below `min_price` or ' +
    "`min_price_percent` unless equal to the product's own price. `initial_payment` is received at the desk " +
    'in cash and must be below the total; the rest is paid by `bank`. An existing client with the phone ' +
    'number keeps their name, and is restored if deleted. `external_id` is scoped to the key and ' +
    'case-sensitive: repeating it returns the same sale; with another agreement, client or goods it is 409. A ' +
    'line of a marked product has `marks`, as in a sale. `creator_id` of created records is the director of ' +
    'the company, deleted or not: the first if there are several, that of the main company for a branch ' +
    'without one.',
  run: ({ actor, body, at }) => sellOnCredit(actor, body, at),
});
