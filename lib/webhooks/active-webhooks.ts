import * as z from 'zod';
import { partition, type Tenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { webhooks } from './webhook.ts';

/** What decides whether a webhook is told of something. */
const Listening = z.object({
  id: z.int(),
  types: z.array(z.string()),
  generation: z.int(),
  is_active: z.literal(true),
  is_deleted: z.literal(false),
});

export type ActiveWebhooks = z.output<typeof Listening>;

/** Reads the webhooks of a family that are to be told. If there are none, that is one unit, and all. */
export async function readActiveWebhooks(tenant: Tenant): Promise<ActiveWebhooks[]> {
  const items = await wholePartition(partition(webhooks.type, tenant));
  return items.flatMap((item) => Listening.safeParse(item).data ?? []);
}
