import * as z from 'zod';
import type { Tenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';

const Told = z.object({ company_id: z.int(), count: z.int() });

/** Reads how many products were under their minimum as last told, by company. One round trip. */
export async function readToldCounts(tenant: Tenant): Promise<ReadonlyMap<number, number>> {
  const items = await wholePartition(`below-minimum#${tenant}`);
  return new Map(items.map((item) => Told.parse(item)).map(({ company_id, count }) => [company_id, count]));
}
