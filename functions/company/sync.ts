import { SYNC_PAGES } from '#lib/auth/rate-limit.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { LIST_RIGHTS } from '#lib/sync/right.ts';
import { SyncQuery, SyncResponse, sync } from '#lib/sync/sync.ts';

export const GET = endpoint({
  right: 'staff',
  mayNeed: LIST_RIGHTS,
  limit: SYNC_PAGES,
  query: SyncQuery,
  response: SyncResponse,
  uses: ['table:write'],
  note:
    'Initial sync of all existing records, then deltas of changed records at their current state. Call with ' +
    'the latest `cursor` until `has_more` is false, then every few seconds. Each type in `types[]` requires ' +
    'the right to list it. The last page of the initial sync has `has_more: true`. 410: the cursor is no ' +
    'longer valid, for the reason in `code`; start again without one. At most 30 responses a minute with ' +
    '`has_more: false`, 300 in total. A document with over 1 MB of lines has `products: null` and ' +
    '`lines_left_out: true`.',
  run: ({ actor, query, at, locale }) => sync({ actor, query, at, locale }),
});
