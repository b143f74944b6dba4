import { endpoint } from '#lib/http/endpoint.ts';
import { addProducts } from '#lib/trade/hold/hold.ts';
import { get, HeldGoods, HoldWithLines } from '#lib/trade/hold/record.ts';

export const PATCH = endpoint({
  right: 'company.trade.hold.add-products',
  idempotent: true,
  body: HeldGoods,
  response: HoldWithLines,
  note:
    "Adds the lines of the body; the desk's draft named by `cheque` is only cleared. A product already on " +
    'hold is added at its held price. A hold has at most 1000 lines.',
  run: ({ actor, id, body, at, saveResponse }) => addProducts(actor, { id, ...body }, at, saveResponse),
  reread: ({ actor }, [id = 0]) => get(actor, id, []),
});
