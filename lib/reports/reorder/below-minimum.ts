import * as z from 'zod';
import type { Tenant } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';

const Count = z.object({ company_id: z.int(), count: z.int() });

/** Counts the products under their minimum at the last look, by company. One round trip. */
export async function countBelowMinimum(tenant: Tenant): Promise<ReadonlyMap<number, number>> {
  const items = await wholePartition(`below-minimum#${tenant}`);
  return new Map(items.map((item) => Count.parse(item)).map(({ company_id, count }) => [company_id, count]));
}
