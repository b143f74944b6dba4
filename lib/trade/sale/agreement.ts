import * as z from 'zod';
import type { Sale } from './record.ts';

/** The agreement by which a sale on credit was made, as its `source_data` holds it. */
export const Agreement = z.object({
  external_id: z.string(),
  agreement_number: z.string(),
  agreement_date: z.string(),
  months: z.int(),
  client: z.object({ full_name: z.string(), phone: z.string(), pinfl: z.string().nullable() }),
  /** The name of the credit system's key. */
  system: z.string(),
});

/** Names the system that made a sale on credit, as its company's director. */
export function systemOf({ source_data }: Pick<Sale, 'source_data'>): string {
  return Agreement.parse(source_data).system;
}
