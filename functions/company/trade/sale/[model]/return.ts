import { endpoint } from '#lib/http/endpoint.ts';
import { ReturnInput, returnGoods } from '#lib/trade/return/return.ts';
import { Sale } from '#lib/trade/sale/record.ts';

export const PATCH = endpoint({
  right: 'company.trade.sale.return',
  idempotent: true,
  figure: 'returns',
  body: ReturnInput,
  response: Sale,
  note:
    'Without `products`, all that remains comes back. `transactions` must make up exactly what is due: the value ' +
    "less what closes the cheque's debt, and at most the money received for the cheque (payments of its debt " +
    'included) less what was paid out before. So what was paid with bonuses is not paid out. A credit sale is paid ' +
    'back by `bank` as far as money came by bank, the rest in cash, and so are cheques that it was exchanged for. Of a bundle, send all its lines. `cashbox_id` ' +
    'pays and `stock_id` takes the goods: the cheque’s if left out, and where these are gone, others must be named. ' +
    'Cash that came in another currency, also in cheques before an exchange, may go back in it: a payment names the ' +
    '`currency`, up to what came so and is left, and counts by the rates that it came at. The rest is paid in the ' +
    "cheque's own currency: at its value as far as money of that came, beyond at the lower of the kept rate and " +
    "today's, while it counts as at the kept one. What is left below 1/100 of the other currency is added in cash in " +
    "the cheque's own, if no such payment is named.",
  run: ({ actor, id, body, at, saveResponse }) => returnGoods(actor, { id, ...body }, at, saveResponse),
});
