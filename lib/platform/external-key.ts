import * as z from 'zod';
import { canReach } from '#lib/auth/account-manager.ts';
import type { Administrator } from '#lib/auth/actor.ts';
import { externalKeyConstraint, KeyKind, lastUseKey } from '#lib/auth/keys/external-system.ts';
import { hashOf, newSecret } from '#lib/auth/keys/secret.ts';
import { keyOfCompany } from '#lib/people/company/known.ts';
import { keyOfPartner } from '#lib/people/company/partner.ts';
import { type Embed, reference } from '#lib/records/query/embeds.ts';
import { exact, exactOrList, substring } from '#lib/records/query/filters.ts';
import type { ListQuery } from '#lib/records/query/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { editRecord, insertRecord } from '#lib/records/record-writes.ts';
import { newBase, ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { isPresent, recordFields } from '#lib/records/stored.ts';
import { any, contains } from '#lib/table/expression.ts';
import { keyIfAny, PLATFORM } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { forbidden, notFound } from '#lib/values/api-error.ts';
import { Id, text } from '#lib/values/fields.ts';
import { nameSearchText } from '#lib/values/localized.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

/**
 * API key of another system: for companies, or for all of a partner's. Contract 3; Contract 7, "External
 * key".
 */
export const ExternalKey = z.object({
  ...recordFields,
  creator_id: z.int(),
  name: z.string(),
  kind: KeyKind,
  company_ids: z.array(z.int()),
  partner_id: z.int().nullable(),
  last_used_at: Timestamp.nullish(),
});

/** A new key, which is shown only once. */
export const NewExternalKey = ExternalKey.extend({ key: z.string() });

/** Input to create a key. */
export const ExternalKeyInput = z.discriminatedUnion('kind', [
  z.object({
    name: text(255),
    kind: z.literal('external'),
    company_ids: z
      .array(Id)
      .min(1)
      .max(100)
      .refine((ids) => new Set(ids).size === ids.length, { error: 'validation.duplicate' }),
    partner_id: z.null().default(null),
  }),
  z.object({
    name: text(255),
    kind: z.literal('partner'),
    company_ids: z.array(Id).max(0).default([]),
    partner_id: Id,
  }),
]);

type ExternalKeyInput = z.output<typeof ExternalKeyInput>;

const StoredKey = ExternalKey.extend({ hash: z.string() });

const externalKeys: RecordType<typeof StoredKey> = {
  type: 'external-key',
  schema: StoredKey,
  filters: {
    id: exactOrList('id', Id),
    name: substring('name'),
    kind: exact('kind', KeyKind),
    partner_id: exact('partner_id', Id),
  },
  sorts: ['id', 'name'],
  names: ({ hash }) => [externalKeyConstraint(hash)],
  ...nameSearchText,
};

const lastUse: Embed = {
  ...reference('last_used_at', ({ id }) => lastUseKey(Number(id))),
  shape: ([use]) => use?.['at'] ?? null,
};

const records = recordsOf(externalKeys, {
  ...ofPlatform,
  reach: ({ companies: open }) =>
    open === 'all' ? [] : [any([0, ...open].map((id) => contains('company_ids', id)))],
  alwaysEmbeds: () => [lastUse],
});

/** Query string of the list. */
export const { List } = records;

/**
 * Lists the keys to companies open to the administrator, with these companies only; keys of partners only if
 * all companies are open. Contract 9.88.
 */
export async function list(actor: Administrator, query: ListQuery) {
  const { rows, ...page } = await records.list(actor, query);
  const reachable = (ids: readonly number[]) => ids.filter((id) => canReach(actor, id));
  return { ...page, rows: rows.map((row) => ({ ...row, company_ids: reachable(row.company_ids) })) };
}

/** Creates a key. 422 on a missing company or partner, or one not open to the administrator. */
export async function create(actor: Administrator, input: ExternalKeyInput, at: Instant) {
  const [id] = await Promise.all([nextId(externalKeys.type, PLATFORM), checkReferences(actor, input)]);
  const key = newSecret();
  const record = await insertRecord(externalKeys, PLATFORM, {
    ...newBase(id, at),
    ...input,
    creator_id: actor.id,
    hash: hashOf(key),
  });
  return { ...record, last_used_at: null, key };
}

/**
 * Revokes a key permanently; its record stays for the names in logs. 403 if it also opens companies that are
 * not open to the administrator.
 */
export async function remove(actor: Administrator, id: number, at: Instant) {
  await editRecord({ type: externalKeys, tenant: PLATFORM, id }, at, (before) => {
    requireReach(actor, before.company_ids);
    return { ...before, is_deleted: true };
  });
}

function requireReach(actor: Administrator, companyIds: readonly number[]): void {
  if (actor.companies === 'all') return;
  const open = companyIds.filter((id) => canReach(actor, id));
  if (open.length === 0) throw notFound();
  if (open.length < companyIds.length) throw forbidden();
}

async function checkReferences(actor: Administrator, { company_ids, partner_id }: ExternalKeyInput) {
  const keys = company_ids.flatMap((id) => keyOfCompany(id) ?? []);
  const [partner, ...found] = await getItems([keyIfAny(partner_id, keyOfPartner), ...keys]);
  const issues = new ValidationIssues();
  for (const [index, id] of company_ids.entries()) {
    if (!isPresent(found[index]) || !canReach(actor, id))
      issues.add(`company_ids.${index}`, 'validation.not_found');
  }
  const isPartnerOpen = actor.companies === 'all' && isPresent(partner);
  if (partner_id !== null && !isPartnerOpen) issues.add('partner_id', 'validation.not_found');
  issues.throwIfAny();
}
