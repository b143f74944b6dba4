import { notePriceEntries } from '#lib/catalog/price-entry.ts';
import { follower } from '#lib/http/follower.ts';
import { consumeChanges } from '#lib/platform/changes.ts';
import { tellOf } from '#lib/webhooks/delivery/tell.ts';
import { QUEUE } from '#lib/webhooks/message.ts';

/**
 * Follows what changes in the table: appends it to families' feeds, notes who did it and what prices were,
 * and tells webhooks.
 */
export const handler = follower({
  uses: [`queue:${QUEUE}`],
  run: async (records, at, now) => {
    await consumeChanges(records, at);
    await notePriceEntries(records);
    await tellOf(records, now());
  },
});
