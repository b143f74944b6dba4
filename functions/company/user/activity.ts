import { listing } from '#lib/http/listing.ts';
import { ActivityList, ActivityRow, list } from '#lib/platform/activity/list.ts';

export const GET = listing({
  right: 'company.user.activity',
  query: ActivityList,
  rows: ActivityRow,
  note:
    'Who made, changed, deleted and restored which record, the newest first, of all that the caller reaches ' +
    'and may list. Rows are kept for 90 days and follow a change by some seconds. `type` is a list by its path with dots, ' +
    '`product.brand`. `creator_id` did it, `impersonator_id` is the administrator who acted as them; both are ' +
    'null for what the service did by itself. Sums that move by a document are no rows: the document is one. ' +
    'A period of more than 200 000 rows is 422: name a shorter one.',
  run: ({ actor, query, at }) => list(actor, query, at),
});
