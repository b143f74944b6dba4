import type { Administrator, Staff } from '#lib/auth/actor.ts';
import type { NewCompany } from '#lib/people/company/record.ts';
import { counterKey } from '#lib/records/links/counters.ts';
import { insertion } from '#lib/records/record-writes.ts';
import { newRecord } from '#lib/records/records-of.ts';
import { parseRecord, parseStored } from '#lib/records/stored.ts';
import type { Write } from '#lib/table/change/write.ts';
import { familyTenant, type Key, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import {
  uniqueConstraintKey as nameKeyOf,
  ownerIn,
  ownersOf,
} from '#lib/table/transaction/unique-constraints.ts';
import { translateLabel } from '#lib/values/labels/label.ts';
import type { Instant } from '#lib/values/time.ts';
import { byPaymentType, Desk, desks, ifVisible, keyOf, mainDeskConstraint } from './desk.ts';
import { DESK_MONEY } from './money.ts';

/** Builds the writes of a new company's main cash desk. */
export async function mainDeskOf(
  { id: companyId, parent_id }: NewCompany,
  { id: creator }: Pick<Administrator, 'id'>,
  at: Instant,
): Promise<Write[]> {
  const tenant = familyTenant(parent_id ?? companyId);
  const id = await nextId(desks.type, tenant);
  return insertion(desks, tenant, {
    ...newRecord({ id: creator, companyId }, id, at),
    name: translateLabel('ru', { key: 'cashbox.main_name', with: { company: companyId } }),
    type: 'main',
  });
}

/** Returns the key of the item with a company's main desk, for `mainDeskId`. */
export function mainDeskKey(tenant: Tenant, companyId: number): Key {
  return nameKeyOf(desks.type, mainDeskConstraint(tenant, companyId));
}

/** Id of a main desk, from the item at `mainDeskKey`; undefined if the company has none. */
export const mainDeskId = ownerIn;

/**
 * Reads the main desk of the caller's company; null if there is none. Its money is included if the desk is
 * open to the caller.
 */
export async function mainDesk(actor: Staff) {
  const { tenant, companyId } = actor;
  const [id] = await ownersOf(desks.type, [mainDeskConstraint(tenant, companyId)]);
  if (id === undefined) return null;
  const [item, sums] = await getItems([keyOf(actor, id), counterKey(DESK_MONEY, tenant, id)]);
  const desk = parseRecord(Desk, item);
  if (desk.is_deleted) return null;
  return ifVisible(actor, desk) && sums
    ? parseStored(Desk, { ...desk, balances: byPaymentType(sums) })
    : desk;
}
