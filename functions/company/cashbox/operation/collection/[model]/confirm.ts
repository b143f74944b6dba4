import { confirm } from '#lib/cash/collection/end.ts';
import { Collection } from '#lib/cash/collection/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const PATCH = endpoint({
  right: 'company.cashbox.operation.collection.confirm',
  idempotent: true,
  answers: Collection,
  note: '`{model}` is the id of the collection. The main desk must be open to you: its income is as much as was collected.',
  run: ({ actor, id, at, remember }) => confirm(actor, id, at, remember),
});
