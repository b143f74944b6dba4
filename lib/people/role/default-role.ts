import * as z from 'zod';
import { insertion } from '#lib/records/record-writes.ts';
import { newBase } from '#lib/records/records-of.ts';
import { putNew, type Write } from '#lib/table/change/write.ts';
import { familyTenant, type Key, PLATFORM, partnerTenant, type Tenant } from '#lib/table/keys.ts';
import { getItem } from '#lib/table/read/get.ts';
import type { Instant } from '#lib/values/time.ts';
import { roles } from './record.ts';

/** Default roles: all rights of the area. Contract 3; Contract 9.71. */
const DEFAULT_ROLES = {
  super_admin: { name: 'Super-administrator', new_routes: ['admin.*'], can_apply_sale_discount: false },
  director: { name: 'Director', new_routes: ['company.*'], can_apply_sale_discount: true },
  partner: { name: 'Partner', new_routes: ['partner.*'], can_apply_sale_discount: false },
} as const;

/** Owner of a role: the platform, a family (by its main company) or a partner. */
export type RoleOwner =
  | { readonly type: 'super_admin' }
  | { readonly type: 'director'; readonly familyId: number }
  | { readonly type: 'partner'; readonly partnerId: number };

const Pointer = z.object({ id: z.int() });

/** Builds the writes of a default role, in the transaction that creates its owner. */
export function defaultRoleWrites(owner: RoleOwner, id: number, at: Instant): Write[] {
  const { new_routes, ...given } = DEFAULT_ROLES[owner.type];
  return [
    putNew(pointerKey(owner), { id }),
    ...insertion(roles, PLATFORM, {
      ...newBase(id, at),
      ...idsOf(owner),
      type: owner.type,
      ...given,
      new_routes: [...new_routes],
      description: null,
      creator_id: null,
      is_given: true,
    }),
  ];
}

/** Returns the id of a default role, which exists since its owner's creation. */
export async function defaultRoleId(owner: RoleOwner): Promise<number> {
  return Pointer.parse(await getItem(pointerKey(owner))).id;
}

function idsOf(owner: RoleOwner) {
  const familyId = owner.type === 'director' ? owner.familyId : null;
  const partner_id = owner.type === 'partner' ? owner.partnerId : null;
  return { company_id: familyId, family_id: familyId, partner_id };
}

function pointerKey(owner: RoleOwner): Key {
  return { pk: `given-role#${homeOf(owner)}`, sk: owner.type };
}

function homeOf(owner: RoleOwner): Tenant {
  if (owner.type === 'director') return familyTenant(owner.familyId);
  return owner.type === 'partner' ? partnerTenant(owner.partnerId) : PLATFORM;
}
