import { SALE_BATCHES } from '#lib/auth/rate-limit.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { SaleBatchAnswer, SaleBatchInput, sellBatch } from '#lib/trade/offline/batch.ts';

export const POST = endpoint({
  right: 'company.trade.sale.store',
  strict: true,
  evenInactive: true,
  limit: SALE_BATCHES,
  body: SaleBatchInput,
  entries: 'sales',
  response: SaleBatchAnswer,
  note:
    'An entry is the body of a sale with a `key`, the number that the till itself gave it, unique at its desk; sent ' +
    'again, it is the same sale. Each is judged as a sale by itself, and its `status` and `errors` are those of that ' +
    'call. A late sale, one with `sold_at`, that is refused is kept: `refused_id` names it. A 409 tells by `sale_id` ' +
    'or `refused_id` what has its key. What 20 seconds do not reach is 503: send it again. At 5000 that wait at a ' +
    'desk a new one is 429, and not kept. A blocked company sends what it sold before, within 72 hours.',
  run: ({ actor, body, at, locale }) => sellBatch(actor, body, { at, locale }),
});
