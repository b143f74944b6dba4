import * as z from 'zod';
import { canReach } from '#lib/auth/account-manager.ts';
import type { Administrator } from '#lib/auth/actor.ts';
import { type Embed, reference } from '#lib/records/query/embeds.ts';
import { platformFilters, substring } from '#lib/records/query/filters.ts';
import { phone } from '#lib/records/query/phone-filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { recordFields } from '#lib/records/stored.ts';
import { PLATFORM, partition, partnerTenant, recordKey } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { badRequest, forbidden } from '#lib/values/api-error.ts';
import { orNull, Phone, text } from '#lib/values/fields.ts';
import { nameSearchText } from '#lib/values/localized.ts';
import type { Instant } from '#lib/values/time.ts';

/** A partner of the platform, who brings companies. Contract 7, "Partner". */
export const Partner = z.object({ ...recordFields, name: z.string(), phone: z.string().nullable() });

/** Input to create or edit a partner. */
export const PartnerInput = z.object({ name: text(255), phone: orNull(Phone) });

/** Record type of partners. */
export const partners: RecordType<typeof Partner> = {
  type: 'partner',
  schema: Partner,
  filters: { ...platformFilters, name: substring('name'), phone: phone('phone') },
  sorts: ['id', 'name'],
  ...nameSearchText,
  inUse: badRequest('partner.in_use'),
};

/** `with[]=partner`: the partner that a record belongs to. */
export const partnerEmbed: Embed = reference('partner', ({ partner_id }) =>
  typeof partner_id === 'number' ? keyOfPartner(partner_id) : undefined,
);

const records = recordsOf(partners, ofPlatform);

/** List and get the partners. */
export const { List, Embeds, list, get } = records;

/** Edits a partner. 403 unless all its companies are open to the administrator. */
export async function edit(
  actor: Administrator,
  id: number,
  input: z.output<typeof PartnerInput>,
  at: Instant,
) {
  await requireCompanies(actor, id);
  return records.change(actor, id, at, (before) => ({ ...before, ...input }));
}

/** Deletes a partner softly. 400 for one that has companies, 403 as for an edit. */
export async function remove(actor: Administrator, id: number, at: Instant) {
  await requireCompanies(actor, id);
  return records.remove(actor, id, at);
}

/** Restores a partner. 403 as for an edit. */
export async function restore(actor: Administrator, id: number, at: Instant) {
  await requireCompanies(actor, id);
  return records.restore(actor, id, at);
}

/** Requires that every company of a partner, deleted or not, is open to an administrator. Contract 9.88. */
async function requireCompanies(actor: Administrator, id: number): Promise<void> {
  if (actor.companies === 'all') return;
  const items = await wholePartition(partition('company', partnerTenant(id)));
  if (!items.every((item) => canReach(actor, Number(item['id'])))) throw forbidden('role.beyond_yours');
}

/** Returns the key of a partner's record. */
export function keyOfPartner(id: number) {
  return recordKey(partners.type, PLATFORM, id);
}
