import { endpoint } from '#lib/http/endpoint.ts';
import { updateProducts } from '#lib/trade/hold/hold.ts';
import { get, HoldContents, HoldWithLines } from '#lib/trade/hold/record.ts';

export const PATCH = endpoint({
  right: 'company.trade.hold.update-products',
  idempotent: true,
  body: HoldContents,
  response: HoldWithLines,
  note: 'Lines left out are released to stock; to keep a bundle, send its key in `bundle_keys`.',
  run: ({ actor, id, body, at, saveResponse }) => updateProducts(actor, { id, ...body }, at, saveResponse),
  reread: ({ actor }, [id = 0]) => get(actor, id, []),
});
