import { endpoint } from '#lib/http/endpoint.ts';
import { Exchange, exchange } from '#lib/trade/exchange/exchange.ts';
import { ExchangeInput } from '#lib/trade/exchange/sides.ts';

export const POST = endpoint({
  right: 'company.trade.sale.exchange',
  mayNeed: {
    'company.client.client.deposit-payout': null,
    'company.client.client.exceed-limit': 'exceed_limit',
    'company.trade.sale.price-type': 'price_type_id',
  },
  idempotent: true,
  figure: 'exchanges',
  body: ExchangeInput,
  response: Exchange,
  note:
    '`currency` is that of the original sale, even if the company now sells in another. The returned value ' +
    'pays for the new goods first. If they cost more, `transactions` is the surcharge of the new sale; if ' +
    'they cost less, the rest, after the debt of the original sale, is refunded by this desk as in a return. ' +
    'The new sale inherits the money received for the returned goods, by payment type, and the bonuses it ' +
    'earned, and earns bonuses on the surcharge; for another client those bonuses are withdrawn. Both sales ' +
    'share `source_data.exchange_key`. If money from the account of the client passes to the new sale, the ' +
    'client must stay the same.',
  run: ({ actor, id, body, at, saveResponse }) => exchange(actor, { id, ...body }, at, saveResponse),
});
