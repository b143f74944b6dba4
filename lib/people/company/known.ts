import * as z from 'zod';
import { type Embed, reference } from '#lib/records/query/embeds.ts';
import { PLATFORM, recordKey } from '#lib/table/keys.ts';

/*
 * What records show of their company. It is apart from companies themselves, which most functions never read:
 * an import makes all schemas of a module.
 */

/** A company as the people of its family see it in what is theirs: its names and phone. */
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
