import { CountedInput, confirm } from '#lib/cash/collection/end.ts';
import { Collection } from '#lib/cash/collection/record.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const PATCH = endpoint({
  right: 'company.cashbox.operation.collection.confirm',
  mayNeed: { 'company.cashbox.operation.collection.difference': null },
  idempotent: true,
  body: CountedInput,
  response: Collection,
  note:
    '`{model}` is the id of the collection. Requires access to the main desk, whose income equals the ' +
    'collected amount. If the counted money differs, requires the right ' +
    '`company.cashbox.operation.collection.difference` and a comment: the main desk gets an income or outcome ' +
    'of the difference, too.',
  run: ({ actor, id, body, at, saveResponse }) => confirm(actor, { id, ...body }, at, saveResponse),
});
