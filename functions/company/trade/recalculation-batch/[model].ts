import { Repricing } from '#lib/catalog/repricing/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import * as repricings from '#lib/trade/repricing/repricing.ts';
import { RepricingEmbeds } from '#lib/trade/repricing/repricing.ts';

export const GET = endpoint({
  right: 'company.trade.recalculation-batch.show',
  query: RepricingEmbeds,
  response: Repricing,
  note:
    'Always includes the creator, the first 1 000 lines, the first 100 of them with product cards, and all ' +
    'skipped rows, regardless of `with[]`; `{model}/products` pages through all lines.',
  run: ({ actor, id, locale }) => repricings.get(actor, id, locale),
});
