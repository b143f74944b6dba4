import { Repricing } from '#lib/catalog/repricing/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import * as repricings from '#lib/trade/repricing/repricing.ts';
import { RepricingEmbeds } from '#lib/trade/repricing/repricing.ts';

export const GET = endpoint({
  right: 'company.trade.recalculation-batch.show',
  query: RepricingEmbeds,
  response: Repricing,
  note:
    'Shows who made the batch, its first 1 000 lines, the first 100 of them with their cards, and all skipped rows, ' +
    'whatever `with[]` asks for; `{model}/products` pages through all lines.',
  run: ({ actor, id, locale }) => repricings.get(actor, id, locale),
});
