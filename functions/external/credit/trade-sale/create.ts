import { endpoint } from '#lib/http/endpoint.ts';
import { CreditInput } from '#lib/trade/credit/input.ts';
import { CreditSale, sellOnCredit } from '#lib/trade/credit/sell.ts';

export const POST = endpoint({
  right: 'external',
  body: CreditInput,
  figure: 'sales',
  answers: CreditSale,
  note:
    "The prices are the agreement's: neither `is_free_price` nor `min_price` holds. `initial_payment` " +
    'comes into the desk in cash and must be less than the total; the rest comes by `bank`. The client ' +
    'with that main phone keeps the name they have, and is restored if deleted. External ids count per ' +
    'company family, letter case included, whatever key they come with. What such a call creates has ' +
    '`creator_id` 0.',
  run: ({ actor, body, at }) => sellOnCredit(actor, body, at),
});
