import { SYNC_PAGES } from '#lib/auth/rate-limit.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { SyncQuery, SyncResponse, sync } from '#lib/sync/sync.ts';

export const GET = endpoint({
  right: 'staff',
  limit: SYNC_PAGES,
  query: SyncQuery,
  response: SyncResponse,
  uses: ['table:write'],
  note:
    'First everything that exists, then every change, as it is now. Call with the `cursor` of the last answer ' +
    'until `has_more` is false, and from then on every few seconds. `types[]` needs the right to list each. ' +
    'The page that ends the first part has `has_more: true`. ' +
    '410 says why the cursor has ended: begin without one. At most 30 answers a minute with nothing left, ' +
    '300 in all. `products` is null and `lines_left_out` true of a record with over 1 MB of lines.',
  run: ({ actor, query, at, locale }) => sync({ actor, query, at, locale }),
});
