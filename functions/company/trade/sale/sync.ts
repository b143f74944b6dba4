import { SALE_BATCHES } from '#lib/auth/rate-limit.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { SaleBatchAnswer, SaleBatchInput, sellBatch } from '#lib/trade/offline/batch.ts';
import { SALE_BATCH_RIGHTS } from '#lib/trade/sale/field-rights.ts';

export const POST = endpoint({
  right: 'company.trade.sale.store',
  mayNeed: SALE_BATCH_RIGHTS,
  strict: true,
  evenInactive: true,
  limit: SALE_BATCHES,
  body: SaleBatchInput,
  entries: 'sales',
  response: SaleBatchAnswer,
  note:
    'An entry is the body of a sale with a `key`: a number assigned by the client, unique at its desk. ' +
    'Repeating an entry returns the same sale. Each entry is validated as a single sale, with the same ' +
    '`status` and `errors`. A refused offline sale (one with `sold_at`) is stored: `refused_id` is its id. ' +
    'For a 409, `sale_id` or `refused_id` identifies the holder of the key. Entries not processed within 20 ' +
    'seconds get 503: send them again. A desk stores up to 5000 waiting sales; further ones get 429 and are ' +
    'not stored. A blocked company can send sales made before the blocking for 72 hours.',
  run: ({ actor, body, at, locale }) => sellBatch(actor, body, { at, locale }),
});
