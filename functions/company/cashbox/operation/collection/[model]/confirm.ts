import { confirm } from '#lib/cash/collection/end.ts';
import { Collection } from '#lib/cash/collection/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const PATCH = endpoint({
  right: 'company.cashbox.operation.collection.confirm',
  idempotent: true,
  response: Collection,
  note: '`{model}` is the id of the collection. The main desk must be open to you: its income is as much as was collected.',
  run: ({ actor, id, at, saveResponse }) => confirm(actor, id, at, saveResponse),
});
