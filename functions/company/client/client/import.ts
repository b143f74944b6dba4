import { IMPORTS } from '#lib/auth/rate-limit.ts';
import { ClientWorkbook, importClients } from '#lib/clients/import.ts';
import { ImportOutcome } from '#lib/files/import-outcome.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const POST = endpoint({
  right: 'company.client.client.import',
  limit: IMPORTS,
  accepts: 'multipart',
  body: ClientWorkbook,
  response: ImportOutcome,
  mayNeed: { 'company.client.client.update': null, 'company.client.client.restore': null },
  note:
    'Imports all rows or none, up to 1 000. With the form field `mode=update` a row changes the client of its ' +
    '`external_id`, else of its phone: empty cells keep the current value, a deleted client is restored. This ' +
    'requires the right to edit clients, and for restored rows the right to restore: 403. Without the field a ' +
    'known client is 422. With `dry_run=true` the response is the same, and nothing is written.',
  run: ({ actor, body, at, locale }) => importClients(actor, body, { at, locale }),
});
