import { listing } from '#lib/http/listing.ts';
import { ActivityList, ActivityRow, list } from '#lib/platform/activity/list.ts';

export const GET = listing({
  right: 'company.user.activity',
  query: ActivityList,
  rows: ActivityRow,
  note:
    'Created, changed, deleted and restored records with their users, newest first, limited to records that ' +
    'the caller can access and list. Entries are kept for 90 days and appear some seconds after the change. ' +
    '`type` is the path of a list with dots: `product.brand`. `creator_id` is the user, `impersonator_id` the ' +
    'administrator impersonating them; both are null for changes by the service. Totals changed by a document ' +
    'have no entries; the document has one. A period of more than 200 000 entries is 422: narrow it.',
  run: ({ actor, query, at }) => list(actor, query, at),
});
