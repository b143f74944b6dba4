import * as z from 'zod';
import { type Key, padId, type Tenant } from '#lib/table/keys.ts';
import { unpackIds } from '#lib/table/list-index/ids.ts';
import { wholePartition } from '#lib/table/read/walk.ts';

/** A company's products under their minimum at the last look. Part 5, 5B.11. */
export const BelowMinimum = z.object({
  products: z.instanceof(Uint8Array).transform(unpackIds),
  /** Time of the latest notification; 0 before the first. */
  notified_at: z.number(),
});

const Count = z.object({ company_id: z.int(), count: z.int() });

/** Counts the products under their minimum at the last look, by company. One round trip. */
export async function countBelowMinimum(tenant: Tenant): Promise<ReadonlyMap<number, number>> {
  const items = await wholePartition(partitionOf(tenant));
  return new Map(items.map((item) => Count.parse(item)).map(({ company_id, count }) => [company_id, count]));
}

/** Returns the key of a company's products under their minimum. */
export function belowMinimumKey(tenant: Tenant, companyId: number): Key {
  return { pk: partitionOf(tenant), sk: padId(companyId) };
}

function partitionOf(tenant: Tenant): string {
  return `below-minimum#${tenant}`;
}
