import { writePriceEntries } from '#lib/catalog/price-entry.ts';
import { streamConsumer } from '#lib/http/stream-consumer.ts';
import { consumeChanges } from '#lib/platform/changes.ts';
import { enqueueFromStream } from '#lib/webhooks/delivery/enqueue.ts';
import { QUEUE } from '#lib/webhooks/message.ts';

/**
 * Consumes the table's stream: appends changes to families' feeds and activity logs, records price history,
 * and enqueues webhook deliveries.
 */
export const handler = streamConsumer({
  uses: [`queue:${QUEUE}`],
  run: async (records, at, now) => {
    await consumeChanges(records, at);
    await writePriceEntries(records);
    await enqueueFromStream(records, now());
  },
});
