import type { Staff } from '#lib/access/actor.ts';
import { canReach } from '#lib/access/keeper.ts';
import { companies } from '#lib/people/company/record.ts';
import { findRecord } from '#lib/records/record.ts';
import { Id } from '#lib/values/fields.ts';
import { invalid } from '#lib/values/refusal.ts';

/** A record's future company or branch; if left out, the caller's own. */
export const CompanyId = Id.nullish();

/**
 * Finds the company that a record is to belong to: the one given, or `otherwise`. 422 on `company_id` if it
 * is not of the family or not open to the caller.
 */
export async function companyFor(
  actor: Staff,
  given: number | null | undefined,
  otherwise = actor.companyId,
): Promise<number> {
  if (given === null || given === undefined || given === otherwise) return otherwise;
  const place = { type: companies, home: actor.home, id: given };
  const company = canReach(actor, given) ? await findRecord(place) : undefined;
  if (!company || company.is_deleted) throw invalid({ company_id: 'validation.not_found' });
  return given;
}
