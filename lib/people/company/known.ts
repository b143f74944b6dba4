import * as z from 'zod';
import { type Embed, reference } from '#lib/records/query/embeds.ts';
import { PLATFORM, recordKey } from '#lib/table/keys.ts';

/*
 * Fields of a company shown in other records. Separate from companies themselves, which most functions never
 * read: an import creates all schemas of a module.
 */

/** Company as shown to users of its family in their records: names and phone. */
export const CompanySummary = z.object({
  id: z.int(),
  name: z.string(),
  company_name: z.string().nullable(),
  phone: z.string().nullable(),
});

/** `with[]=company`: the company that a record belongs to. */
export const companyEmbed: Embed = reference('company', ({ company_id }) => keyOfCompany(company_id));

/** Gives the key of a company's own record; undefined if the id is none. */
export function keyOfCompany(id: unknown) {
  return typeof id === 'number' ? recordKey('company', PLATFORM, id) : undefined;
}
