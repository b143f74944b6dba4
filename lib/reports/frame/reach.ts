import * as z from 'zod';
import { among, withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { companies } from '#lib/people/company/record.ts';
import { parseStoredKnown } from '#lib/records/stored.ts';
import { all, type Expression } from '#lib/table/expression.ts';
import { partition } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

/** A company, desk or warehouse in a report. */
const Place = z.object({ id: z.int(), name: z.string() });

const PlaceOfCompany = Place.extend({ company_id: z.int(), type: z.string().optional() });

/** Reads the family's companies open to the caller, deleted ones too. One round trip. */
export async function companiesFor(actor: Staff) {
  const found = await readOpen(actor, companies.type, among('id', actor.companies));
  return found.map((item) => parseStoredKnown(Place, item));
}

/**
 * Reads the places of a type, `stock` or `cashbox`, open to the caller; deleted ones too, as their past
 * movements count. One round trip.
 */
export async function placesFor(actor: Staff, type: string, open: 'all' | readonly number[]) {
  const found = await readOpen(actor, type, withinReachOf(actor, open));
  return found.map((item) => parseStoredKnown(PlaceOfCompany, item));
}

/**
 * Picks the records that a filter names. One out of the caller's reach adds an issue on the filter. Part 4,
 * 4.5.
 */
export function pick<P extends { readonly id: number }>(
  open: readonly P[],
  ids: readonly number[] | undefined,
  path: string,
  issues: ValidationIssues,
): P[] {
  if (!ids) return [...open];
  const requested = new Set(ids);
  const picked = open.filter(({ id }) => requested.has(id));
  if (picked.length < requested.size) issues.add(path, 'validation.not_found');
  return picked;
}

/** Returns a predicate for membership in a list of ids. */
export function memberOf(ids: 'all' | readonly number[]): (id: number) => boolean {
  if (ids === 'all') return () => true;
  const set = new Set(ids);
  return (id) => set.has(id);
}

async function readOpen({ tenant }: Staff, type: string, reach: readonly Expression[]) {
  const items = await wholePartition(partition(type, tenant));
  return items.filter(all(reach).matches);
}
