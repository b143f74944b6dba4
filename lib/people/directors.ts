import { partition, type Tenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { users } from './user/user.ts';

/** As many as one transaction holds beside the event they are notified of. */
const MAX_DIRECTORS = 80;

/** Lists the directors of a family to notify. One round trip. */
export async function directorsOf(tenant: Tenant): Promise<number[]> {
  const items = await wholePartition(partition(users.type, tenant));
  return items
    .filter((item) => item['type'] === 'director' && item['is_deleted'] === false)
    .map((item) => Number(item['id']))
    .slice(0, MAX_DIRECTORS);
}
