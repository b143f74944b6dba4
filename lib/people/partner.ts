import * as z from 'zod';
import { type Embed, reference } from '#lib/records/embeds.ts';
import type { RecordType } from '#lib/records/record.ts';
import { recordFields } from '#lib/records/stored.ts';
import { PLATFORM, recordKey } from '#lib/table/keys.ts';
import { fold } from '#lib/values/text.ts';

/** A partner of the platform, who brings companies. Decisions, section 7. */
export const Partner = z.object({ ...recordFields, name: z.string(), phone: z.string().nullable() });

export const partners: RecordType<typeof Partner> = {
  type: 'partner',
  schema: Partner,
  folded: ({ name }) => ({ name: fold(name) }),
};

/** `with[]=partner`: the partner a record belongs to. */
export const partnerEmbed: Embed = reference('partner', ({ partner_id }) =>
  typeof partner_id === 'number' ? keyOfPartner(partner_id) : undefined,
);

/** Where a partner's record is. */
export function keyOfPartner(id: number) {
  return recordKey(partners.type, PLATFORM, id);
}
