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
import type { Instant } from '#lib/values/time.ts';
import type { Staff } from '../actor.ts';
import { blockTimeOf, tariffKey, workplaceOf } from '../workplace.ts';
import { hashOf, recordKeyUse } from './secret.ts';

/** The owner of a key: an external or synchronisation service, or a partner. Part 1, "Authentication". */
export const KeyKind = z.enum(['external', 'partner']);

/** The ways in which a call may name its company: the header, and the kinds of key it goes with. */
const COMPANY_NAMES = [
  { path: 'primary_uuid', header: 'company-primary-uuid', kinds: ['external', 'partner'] },
  { path: 'sync_uuid', header: 'company-sync-uuid', kinds: ['external'] },
  { path: 'partner_uuid', header: 'company-partner-uuid', kinds: ['partner'] },
] as const;

type CompanyUuids = Readonly<Record<(typeof COMPANY_NAMES)[number]['path'], string>>;

/** A part of a key's record that decides what it opens. */
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

/** A part of a user's record that decides whether another system acts as that user. */
const Member = z.object({ id: z.int(), type: z.string(), company_id: z.int().nullable() });

type Member = z.output<typeof Member>;

/** Names a key by its hash, so that it is found by it. */
export function externalKeyConstraint(hash: string): UniqueConstraint {
  return { path: 'hash', scope: PLATFORM, text: hash };
}

/** Names a company by its uuids, so that calls of other systems find it. */
export function companyUuidConstraints(company: CompanyUuids): UniqueConstraint[] {
  return COMPANY_NAMES.map(({ path }) => ({ path, scope: PLATFORM, text: company[path] }));
}

/** Gives the key of a key's last use, which is kept apart from its record, as no call changes that. */
export function lastUseKey(id: number): Key {
  return recordKey('external-key-use', PLATFORM, id);
}

/**
 * Identifies the director of the company that another system acts for, by the headers of its call. Two
 * round trips, three for a branch. Part 1, "Authentication"; Contract 9.120. 404 for a wrong or deleted
 * key, for a uuid of no company or of the wrong kind for the key, and for a company that it doesn't open.
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
    // Read for a main company, which most are: a branch has none of its own.
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

/** Reads the people and keys of a family, deleted ones too. One round trip. */
async function membersOf(familyId: number): Promise<Member[]> {
  const items = await wholePartition(partition('user', familyTenant(familyId)));
  return items.map((item) => Member.parse(item));
}

/**
 * Finds the director of a company: the first that was made, deleted or not, or else that of its main company.
 * A family that never had one has other people, as somebody made its desks and goods. Contract 9.120.
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

// What the call makes is the director's; the log names the key.
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
