import { endpoint } from '#lib/http/endpoint.ts';
import { ReturnInput } from '#lib/trade/return/decide-return.ts';
import { returnGoods } from '#lib/trade/return/return.ts';
import { Sale } from '#lib/trade/sale/record.ts';

export const PATCH = endpoint({
  right: 'company.trade.sale.return',
  mayNeed: { 'company.client.client.deposit-payout': null },
  idempotent: true,
  figure: 'returns',
  body: ReturnInput,
  response: Sale,
  note:
    'Without `products`, everything that remains is returned. `transactions` must add up exactly to the ' +
    'refund due: the returned value less the part that reduces the debt of the sale, limited to the money ' +
    'received for the sale (payments of its debt included) less earlier refunds. Amounts paid with bonuses ' +
    'are therefore not refunded. A credit sale is refunded by `bank` up to the money received by bank, the ' +
    'rest in cash, and so are sales that it was exchanged for. Return all lines of a bundle together. ' +
    '`cashbox_id` pays and `stock_id` receives the goods: by default those of the sale; if these were ' +
    'deleted, others are required. Cash received in another currency, also in sales before an exchange, may ' +
    'be refunded in it: a payment with that `currency`, up to the amount received and not yet refunded, ' +
    'counts at the rates at which it was received. The rest is refunded in the currency of the sale: at its ' +
    'value up to the money received in that currency, and beyond that at the lower of the stored and the ' +
    'current rate, while counted at the stored one. A remainder below 0.01 of the other currency is added in ' +
    'cash in the currency of the sale, unless such a payment is sent or the account lacks its part. A payment ' +
    'of type `deposit` goes to the account of the client of the sale. Money that came from it goes back there ' +
    'first, after the bank money of a credit sale: less needs the right to pay out of accounts.',
  run: ({ actor, id, body, at, saveResponse }) => returnGoods(actor, { id, ...body }, at, saveResponse),
});
