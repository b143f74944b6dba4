import * as z from 'zod';
import { partition, type Tenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { webhooks } from './webhook.ts';

/** Fields of a webhook that decide whether it receives an event. */
const ActiveWebhook = z.object({
  id: z.int(),
  types: z.array(z.string()),
  generation: z.int(),
  is_active: z.literal(true),
  is_deleted: z.literal(false),
});

export type ActiveWebhooks = z.output<typeof ActiveWebhook>;

/** Reads the active webhooks of a family. A family without any costs one unit and no further reads. */
export async function readActiveWebhooks(tenant: Tenant): Promise<ActiveWebhooks[]> {
  const items = await wholePartition(partition(webhooks.type, tenant));
  return items.flatMap((item) => ActiveWebhook.safeParse(item).data ?? []);
}
