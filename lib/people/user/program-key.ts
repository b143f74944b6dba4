import * as z from 'zod';
import { accountsInReach } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { formatProgramKey, programKeyUseKey } from '#lib/auth/keys/program.ts';
import { hashOf, lastUseIn, newSecret } from '#lib/auth/keys/secret.ts';
import { CompanySummary, companyEmbed } from '#lib/people/company/known.ts';
import { Role, roleEmbed } from '#lib/people/role/record.ts';
import { type Embed, reference } from '#lib/records/query/embeds.ts';
import { exact, exactOrList, MAX_PAGE_SIZE, substring } from '#lib/records/query/filters.ts';
import { embedQuery, type ListQuery, listQuery } from '#lib/records/query/list-query.ts';
import type { RecordType } from '#lib/records/record.ts';
import { recordsOf } from '#lib/records/records-of.ts';
import { parseStored, recordFields } from '#lib/records/stored.ts';
import { update, type Write } from '#lib/table/change/write.ts';
import { absent, any, equals, lessThan } from '#lib/table/expression.ts';
import { familyTenant, type Key, PLATFORM } from '#lib/table/keys.ts';
import { badRequest, forbidden } from '#lib/values/api-error.ts';
import { inBackground } from '#lib/values/concurrency.ts';
import { Id } from '#lib/values/fields.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';
import { forbidImpersonation, requireAuthority } from './authority.ts';
import { BLANK_USER } from './changes.ts';
import { Colleague, creatorEmbed } from './colleague.ts';
import { checkProgramKey, type ProgramKeyInput } from './key-input.ts';
import { type StoredUser, users } from './user.ts';

/** API key of a program, for a company: a user with a role that can't sign in. Part 4, 4.3. */
export const ProgramKey = z.object({
  ...recordFields,
  creator_id: z.int(),
  name: z.string(),
  role_id: z.int(),
  company_id: z.int(),
  are_all_companies_available: z.boolean(),
  company_ids: z.array(z.int()),
  cashbox_ids: z.array(z.int()),
  stock_ids: z.array(z.int()),
  expires_at: Timestamp.nullable(),
  last_used_at: Timestamp.nullable(),
  role: Role.nullish(),
  company: CompanySummary.nullish(),
  creator: Colleague.nullish(),
});

/** A new key, which is shown only once. */
export const NewProgramKey = ProgramKey.extend({ key: z.string() });

/** More keys than a family's programs need, as a limit. */
const MAX_KEYS = 50;

const filters = {
  id: exactOrList('id', Id),
  role_id: exact('role_id', Id),
  company_id: exactOrList('company_id', Id),
  name: substring('name'),
};

const embeds = { role: roleEmbed, company: companyEmbed, 'creator.profile': creatorEmbed };

/** Query string of the list. */
export const ProgramKeyList = listQuery(filters, { sorts: ['id'], embeds, pageSize: MAX_PAGE_SIZE });

/** Query string of a single key. */
export const ProgramKeyEmbeds = embedQuery({ embeds });

// Keys are users, so that references to users may point at them. They have no username.
const programKeys: RecordType<typeof StoredUser> = { ...users, names: () => [], alsoWrites: countWrites };

const lastUse: Embed = {
  ...reference('last_used_at', ({ id }) => programKeyUseKey(Number(id))),
  shape: ([use]) => lastUseIn(use) ?? null,
};

const records = recordsOf(programKeys, {
  homeOf: (_: Staff) => PLATFORM,
  listHomeOf: ({ tenant }) => tenant,
  stampOf: ({ id }) => ({ creator_id: id }),
  reach: (actor) => [equals('type', 'key'), ...accountsInReach(actor)],
  alwaysEmbeds: () => [lastUse],
});

/** Lists the keys of the companies open to the caller. */
export async function list(actor: Staff, query: ListQuery) {
  const { rows, ...page } = await records.list(actor, query);
  return { ...page, rows: rows.map((row) => parseStored(ProgramKey, row)) };
}

/** Returns one of them. */
export async function get(actor: Staff, id: number, requested: readonly Embed[]) {
  return parseStored(ProgramKey, await records.get(actor, id, requested));
}

/** Returns the calling key, with its company and role. 403 for a user. Part 4, 4.3. */
export async function getOwn(actor: Staff) {
  if (actor.type !== 'key') throw forbidden();
  return get(actor, actor.id, [embeds.company, embeds.role]);
}

/**
 * Creates a key. 403 if it exceeds its creator's grants, and under impersonation; 400 if the family has
 * fifty.
 */
export async function create(actor: Staff, input: ProgramKeyInput, at: Instant) {
  forbidImpersonation(actor);
  const secret = newSecret();
  const making = async () => {
    const decided = await decide(actor, input, at);
    return (base: object) =>
      parseStored(programKeys.schema, { ...BLANK_USER, ...base, ...decided, hash: hashOf(secret) });
  };
  const made = parseStored(ProgramKey, await records.insert(actor, at, inBackground(making())));
  return { ...made, key: formatProgramKey(made.id, secret) };
}

/**
 * Edits a key; without a company it stays in its own. 403 if its old or new grants exceed the caller's, and
 * under impersonation.
 */
export async function edit(actor: Staff, id: number, input: ProgramKeyInput, at: Instant) {
  forbidImpersonation(actor);
  const changed = await records.change(actor, id, at, async (before) => {
    await requireAuthority(actor, before);
    return { ...before, ...(await decide(actor, input, at, before)) };
  });
  return parseStored(ProgramKey, changed);
}

/** Revokes a key permanently; its record stays, as documents refer to it. 403 as for an edit. */
export async function remove(actor: Staff, id: number, at: Instant): Promise<void> {
  forbidImpersonation(actor);
  await records.change(actor, id, at, async (before) => {
    await requireAuthority(actor, before);
    return { ...before, is_deleted: true };
  });
}

/** Validates a form's references, and returns the key's fields. */
async function decide(
  actor: Staff,
  input: ProgramKeyInput,
  at: Instant,
  { company_id: held }: { readonly company_id: number | null } = { company_id: null },
) {
  const form = { ...input, company_id: input.company_id ?? held ?? actor.companyId };
  await checkProgramKey(actor, form, at);
  const person = { ...BLANK_USER.person, full_name: form.name };
  return { ...form, type: 'key' as const, family_id: actor.familyId, person };
}

/** Counts the keys of a family. 400 if it has fifty already. */
function countWrites(_: unknown, before: Counted | undefined, after: Counted): Write[] {
  const [was, is] = [before?.is_deleted === false, !after.is_deleted];
  if (was === is || after.family_id === null) return [];
  const key = countKey(after.family_id);
  if (was) return [update(key, { add: { count: -1 } })];
  const isFree = any([absent('count'), lessThan('count', MAX_KEYS)]);
  const otherwise = badRequest('key.too_many', { max: MAX_KEYS });
  return [update(key, { add: { count: 1 } }, { if: isFree, otherwise })];
}

type Counted = Pick<z.input<typeof StoredUser>, 'family_id' | 'is_deleted'>;

function countKey(familyId: number): Key {
  return { pk: `program-keys#${familyTenant(familyId)}`, sk: 'count' };
}
