import { confirm } from '#lib/cash/collection/end.ts';
import { Collection } from '#lib/cash/collection/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const PATCH = endpoint({
  right: 'company.cashbox.operation.collection.confirm',
  idempotent: true,
  response: Collection,
  note:
    '`{model}` is the id of the collection. Requires access to the main desk, whose income equals the ' +
    'collected amount.',
  run: ({ actor, id, at, saveResponse }) => confirm(actor, id, at, saveResponse),
});
