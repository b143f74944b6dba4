import * as z from 'zod';
import { familyTenant, type Key, PLATFORM, partition, recordKey } from '#lib/table/keys.ts';
import { getItem, getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import {
  ownerIn,
  type UniqueConstraint,
  uniqueConstraintKey,
} from '#lib/table/transaction/unique-constraints.ts';
import { notFound } from '#lib/values/api-error.ts';
import { enumeration } from '#lib/values/enumeration.ts';
import type { Instant } from '#lib/values/time.ts';
import type { Staff } from '../actor.ts';
import { blockTimeOf, tariffKey, workplaceOf } from '../workplace.ts';
import { hashOf, recordKeyUse } from './secret.ts';

/** The owner of a key: an external or sync service, or a partner. Part 1, "Authentication". */
export const KeyKind = enumeration('external_key.kind', ['external', 'partner']);

/** Headers that identify the company of a call, each with the kinds of key that may use it. */
const COMPANY_NAMES = [
  { path: 'primary_uuid', header: 'company-primary-uuid', kinds: ['external', 'partner'] },
  { path: 'sync_uuid', header: 'company-sync-uuid', kinds: ['external'] },
  { path: 'partner_uuid', header: 'company-partner-uuid', kinds: ['partner'] },
] as const;

type CompanyUuids = Readonly<Record<(typeof COMPANY_NAMES)[number]['path'], string>>;

/** The part of a key's record with its reach. */
const Grant = z.object({
  id: z.int(),
  name: z.string(),
  kind: KeyKind,
  company_ids: z.array(z.int()),
  partner_id: z.int().nullable(),
  is_deleted: z.boolean(),
});

const Company = z.object({
  id: z.int(),
  parent_id: z.int().nullable(),
  partner_id: z.int().nullable(),
});

type Company = z.output<typeof Company>;

/** The part of a user's record needed to choose the user as whom an external system acts. */
const Member = z.object({ id: z.int(), type: z.string(), company_id: z.int().nullable() });

type Member = z.output<typeof Member>;

/** Returns the unique constraint of a key's hash, by which the key is found. */
export function externalKeyConstraint(hash: string): UniqueConstraint {
  return { path: 'hash', scope: PLATFORM, text: hash };
}

/** Returns the unique constraints of a company's uuids, by which calls of external systems find it. */
export function companyUuidConstraints(company: CompanyUuids): UniqueConstraint[] {
  return COMPANY_NAMES.map(({ path }) => ({ path, scope: PLATFORM, text: company[path] }));
}

/**
 * Returns the key of the item with a key's last use, separate from its record, so that calls do not change
 * the record.
 */
export function lastUseKey(id: number): Key {
  return recordKey('external-key-use', PLATFORM, id);
}

/**
 * Identifies the director of the company that an external system acts for, by the headers of its call. Two
 * round trips, three for a branch. Part 1, "Authentication"; Contract 9.120. 404 for a wrong or deleted key,
 * for an unknown uuid or one of the wrong kind for the key, and for a company out of the key's reach.
 */
export async function identifySystem(
  headers: Readonly<Record<string, string | undefined>>,
  at: Instant,
): Promise<Staff> {
  const secret = headers['external-system-secret-key'];
  const [named, ...others] = COMPANY_NAMES.filter(({ header }) => headers[header] !== undefined);
  const uuid = z.guid().safeParse(named && headers[named.header]).data;
  if (!secret || !named || !uuid || others.length > 0) throw notFound();
  const { path, kinds } = named;
  const [keyId, companyId] = (
    await getItems([
      uniqueConstraintKey('external-key', externalKeyConstraint(hashOf(secret))),
      uniqueConstraintKey('company', { path, scope: PLATFORM, text: uuid }),
    ])
  ).map(ownerIn);
  if (keyId === undefined || companyId === undefined) throw notFound();
  const [[keyItem, companyItem, tariff], members] = await Promise.all([
    getItems([
      recordKey('external-key', PLATFORM, keyId),
      recordKey('company', PLATFORM, companyId),
      tariffKey(companyId),
    ]),
    // For a main company, as in most calls: a branch has no partition of users.
    membersOf(companyId),
  ]);
  const key = Grant.parse(keyItem);
  const company = Company.parse(companyItem);
  if (key.is_deleted || !kinds.some((kind) => kind === key.kind) || !opens(key, company)) throw notFound();
  recordKeyUse(lastUseKey(key.id), at);
  const { parent_id } = company;
  const [paying, ofFamily] =
    parent_id === null
      ? [tariff, members]
      : await Promise.all([getItem(tariffKey(parent_id)), membersOf(parent_id)]);
  const director = firstDirectorOf(company, ofFamily);
  if (!director) throw notFound();
  return { ...directorAs(director, company, companyItem, key), blockAt: blockTimeOf(paying) };
}

/** Reads the users and keys of a family, including deleted ones. One round trip. */
async function membersOf(familyId: number): Promise<Member[]> {
  const items = await wholePartition(partition('user', familyTenant(familyId)));
  return items.map((item) => Member.parse(item));
}

/**
 * Returns the director of a company: the first one created, deleted or not, or else that of its main company.
 * A family without a director falls back to its first user, who exists since its desks and goods have a
 * creator. Contract 9.120.
 */
function firstDirectorOf({ id, parent_id }: Company, members: readonly Member[]): Member | undefined {
  const inOrder = members.toSorted((a, b) => a.id - b.id);
  const of = (company: number | null) =>
    inOrder.find(({ type, company_id }) => type === 'director' && company_id === company);
  return of(id) ?? of(parent_id) ?? inOrder[0];
}

function opens({ kind, company_ids, partner_id }: z.output<typeof Grant>, company: Company) {
  if (kind === 'external') return company_ids.includes(company.id);
  return partner_id !== null && company.partner_id === partner_id;
}

// The director is the creator of the call's records; the log has the key.
function directorAs(
  director: Pick<Member, 'id'>,
  { id, parent_id }: Company,
  item: unknown,
  { id: keyId, name }: z.output<typeof Grant>,
): Staff {
  const place = { company_id: id, family_id: parent_id ?? id, are_all_companies_available: false };
  return {
    ...workplaceOf({ ...place, type: 'director', stock_ids: [], cashbox_ids: [] }, [item], undefined),
    type: 'director',
    id: director.id,
    username: name,
    session: 0,
    rights: [],
    canDiscount: true,
    externalKey: { id: keyId, name },
  };
}
