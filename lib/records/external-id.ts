import * as z from 'zod';
import type { Tenant } from '#lib/table/keys.ts';
import type { UniqueConstraint } from '#lib/table/transaction/unique-constraints.ts';
import { lineOfText } from '#lib/values/fields.ts';
import { exact } from './query/filters.ts';

/* A record's id in an external system of the family. Part 4, 4.3. */

const LONGEST = 64;

/** The field of the record: null without an external system. */
export const externalIdField = { external_id: z.string().nullable().default(null) };

/**
 * The field of its form. Forms that are unaware of it omit it, which leaves it unchanged; blank or null
 * clears it.
 */
export const externalIdInput = {
  external_id: lineOfText(LONGEST)
    .nullish()
    .transform((text) => (text === '' ? null : text)),
};

/** The required field of a row from an external system. */
export const RequiredExternalId = lineOfText(LONGEST).min(1, { error: 'validation.required' });

/** The filter of its list. */
export const externalIdFilter = { external_id: exact('external_id', z.string()) };

/** Part of such a record. */
interface WithExternalId {
  readonly external_id?: string | null | undefined;
}

/** Returns the unique constraint of a record's external id within its type and tenant. None without an id. */
export function externalIdConstraints({ external_id }: WithExternalId, tenant: Tenant): UniqueConstraint[] {
  return external_id ? [externalIdConstraint(external_id, tenant)] : [];
}

/**
 * Returns the unique constraint. Case-sensitive, unlike names, since external systems may distinguish case:
 * the text is hex-encoded.
 */
export function externalIdConstraint(externalId: string, tenant: Tenant): UniqueConstraint {
  return { path: 'external_id', scope: tenant, text: Buffer.from(externalId).toString('hex') };
}
