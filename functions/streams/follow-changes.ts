import { writePriceEntries } from '#lib/catalog/price-entry.ts';
import { streamConsumer } from '#lib/http/stream-consumer.ts';
import { consumeChanges } from '#lib/platform/changes.ts';
import { planNotices } from '#lib/platform/notices/from-stream.ts';
import { enqueueFromStream } from '#lib/webhooks/delivery/enqueue.ts';
import { QUEUE } from '#lib/webhooks/message.ts';

/**
 * Consumes the table's stream: appends changes to families' feeds and activity logs, records price history,
 * plans notifications, and enqueues webhook deliveries.
 */
export const handler = streamConsumer({
  uses: [`queue:${QUEUE}`],
  run: async (records, at, now) => {
    await consumeChanges(records, at);
    await writePriceEntries(records);
    await planNotices(records, now());
    await enqueueFromStream(records, now());
  },
});
