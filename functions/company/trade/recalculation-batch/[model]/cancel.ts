import { endpoint } from '#lib/http/endpoint.ts';
import { cancel } from '#lib/trade/repricing/plan.ts';

export const PATCH = endpoint({
  right: 'company.trade.recalculation-batch.cancel',
  idempotent: true,
  note: '400 for a batch that is not planned.',
  run: ({ actor, id, saveResponse }) => cancel(actor, id, () => saveResponse(undefined)),
});
