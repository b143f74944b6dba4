import * as z from 'zod';
import type { Tenant } from '#lib/table/keys.ts';
import type { UniqueConstraint } from '#lib/table/transaction/unique-constraints.ts';
import { lineOfText } from '#lib/values/fields.ts';
import { exact } from './query/filters.ts';

/*
 * The id by which another system of the family knows a record. Part 4, 4.3.
 */

const LONGEST = 64;

/** A field of the record: null if no other system knows it. */
export const externalIdField = { external_id: z.string().nullable().default(null) };

/**
 * A field of its form. Forms that know nothing of other systems leave it out, and it stays; blank or null, it
 * is none.
 */
export const externalIdInput = {
  external_id: lineOfText(LONGEST)
    .nullish()
    .transform((text) => (text === '' ? null : text)),
};

/** Input of a row that another system sends, which always has one. */
export const RequiredExternalId = lineOfText(LONGEST).min(1, { error: 'validation.required' });

/** A filter of its list. */
export const externalIdFilter = { external_id: exact('external_id', z.string()) };

/** A part of such a record. */
interface Known {
  readonly external_id?: string | null | undefined;
}

/** Claims it for one record of the type in the home. None if there is none. */
export function externalIdConstraints({ external_id }: Known, tenant: Tenant): UniqueConstraint[] {
  return external_id ? [externalIdConstraint(external_id, tenant)] : [];
}

/** Makes the claim. Other systems may tell letter case apart, so it is to the letter, unlike names. */
export function externalIdConstraint(externalId: string, tenant: Tenant): UniqueConstraint {
  return { path: 'external_id', scope: tenant, text: Buffer.from(externalId).toString('hex') };
}
