import * as z from 'zod';
import { insertion } from '#lib/records/record-writes.ts';
import { newBase } from '#lib/records/records-of.ts';
import { putNew, type Write, withoutRefusals } from '#lib/table/change/write.ts';
import { familyHome, type Home, type Key, PLATFORM, partnerHome } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { holdersOf } from '#lib/table/transaction/names.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Instant } from '#lib/values/time.ts';
import { roleNames, roles } from './role.ts';

/** What a user has who is given no role: all rights of the area. Decisions, 3; Decisions, 9 (71). */
const GIVEN = {
  super_admin: { name: 'Super-administrator', new_routes: ['admin.*'], can_apply_sale_discount: false },
  director: { name: 'Director', new_routes: ['company.*'], can_apply_sale_discount: true },
  partner: { name: 'Partner', new_routes: ['partner.*'], can_apply_sale_discount: false },
} as const;

/** Whose role it is: the platform's, a family's (named by its main company) or a partner's. */
export type RoleOwner =
  | { readonly type: 'super_admin' }
  | { readonly type: 'director'; readonly familyId: number }
  | { readonly type: 'partner'; readonly partnerId: number };

const Pointer = z.object({ id: z.int() });

/** Names to choose from, if a role of the owner's own has the first. */
const SPARE_NAMES = ['', ' 2', ' 3', ' 4', ' 5', ' 6', ' 7', ' 8', ' 9'];

/** Builds the writes of the role, to be made together with its owner. */
export function givenRoleWrites(owner: RoleOwner, id: number, at: Instant, spare = ''): Write[] {
  const { name, new_routes, can_apply_sale_discount } = GIVEN[owner.type];
  return [
    putNew(pointerKey(owner), { id }),
    ...insertion(roles, PLATFORM, {
      ...newBase(id, at),
      ...idsOf(owner),
      type: owner.type,
      name: `${name}${spare}`,
      description: null,
      new_routes: [...new_routes],
      can_apply_sale_discount,
      creator_id: null,
      is_given: true,
    }),
  ];
}

/**
 * Finds the role. It is made here if its owner is older than such roles are. One round trip, then four the
 * first time.
 */
export async function givenRoleOf(owner: RoleOwner, at: Instant): Promise<number> {
  return retryOnContention(async () => {
    const known = Pointer.safeParse(await getItem(pointerKey(owner))).data;
    if (known) return known.id;
    const [id, spare] = await Promise.all([nextId(roles.type, PLATFORM), spareName(owner)]);
    await transact(withoutRefusals(givenRoleWrites(owner, id, at, spare)));
    return id;
  });
}

async function spareName(owner: RoleOwner): Promise<string> {
  const { name } = GIVEN[owner.type];
  const claims = SPARE_NAMES.flatMap((spare) => roleNames({ name: `${name}${spare}`, ...idsOf(owner) }));
  const holders = await holdersOf(roles.type, claims);
  return SPARE_NAMES[holders.indexOf(undefined)] ?? ` ${crypto.randomUUID()}`;
}

function idsOf(owner: RoleOwner) {
  const familyId = owner.type === 'director' ? owner.familyId : null;
  const partner_id = owner.type === 'partner' ? owner.partnerId : null;
  return { company_id: familyId, family_id: familyId, partner_id };
}

function pointerKey(owner: RoleOwner): Key {
  return { pk: `given-role#${homeOf(owner)}`, sk: owner.type };
}

function homeOf(owner: RoleOwner): Home {
  if (owner.type === 'director') return familyHome(owner.familyId);
  return owner.type === 'partner' ? partnerHome(owner.partnerId) : PLATFORM;
}
