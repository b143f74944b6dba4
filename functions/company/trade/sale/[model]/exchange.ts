import { endpoint } from '#lib/http/endpoint.ts';
import { Exchange, exchange } from '#lib/trade/exchange/exchange.ts';
import { ExchangeInput } from '#lib/trade/exchange/sides.ts';

export const POST = endpoint({
  right: 'company.trade.sale.exchange',
  idempotent: true,
  figure: 'exchanges',
  body: ExchangeInput,
  response: Exchange,
  note:
    "`currency` is the sale's, whatever sales are in by now. The returned value pays for the new goods first. If " +
    'they cost more, `transactions` are the surcharge of the new sale; if they cost less, what is left after the ' +
    "original's debt is paid out of this desk, as a return pays. The new sale inherits the money that was received " +
    'for the goods that came back, by how it came, with the bonuses that it earned, and earns on the surcharge; if ' +
    'it is not of the same client, these bonuses are taken back. The answers carry one `source_data.exchange_key`.',
  run: ({ actor, id, body, at, saveResponse }) => exchange(actor, { id, ...body }, at, saveResponse),
});
