import type { Staff } from '#lib/access/actor.ts';
import { companies } from '#lib/people/company/company.ts';
import { findRecord } from '#lib/records/record.ts';
import { type Expression, oneOf } from '#lib/table/expression.ts';
import { Id } from '#lib/values/fields.ts';
import { invalid } from '#lib/values/refusal.ts';
import { isOpen } from './responsibility.ts';

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
  const company = isOpen(actor, given) ? await findRecord(place) : undefined;
  if (!company || company.is_deleted) throw invalid({ company_id: 'validation.not_found' });
  return given;
}

/** Filters records of companies open to the caller whose `field` is among `ids`. */
export function openTo(
  { companies: open }: Staff,
  ids: 'all' | readonly number[] = 'all',
  field = 'id',
): Expression[] {
  return [...among('company_id', open), ...among(field, ids)];
}

/** Filters records whose `field` is among `ids`. */
export function among(field: string, ids: 'all' | readonly number[]): Expression[] {
  return ids === 'all' ? [] : [oneOf(field, ids)];
}
