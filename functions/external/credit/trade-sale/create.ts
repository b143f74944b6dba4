import { endpoint } from '#lib/http/endpoint.ts';
import { CreditInput } from '#lib/trade/credit-input.ts';
import { CreditSale, sellOnCredit } from '#lib/trade/credit-sale.ts';

export const POST = endpoint({
  right: 'external',
  body: CreditInput,
  answers: CreditSale,
  run: ({ actor, body, at }) => sellOnCredit(actor, body, at),
});
