import { findRecord } from '#lib/records/record.ts';
import { replacement } from '#lib/records/record-writes.ts';
import { padId, type Tenant } from '#lib/table/keys.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { notFound } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { clients } from './client.ts';

const NO_SOCIALS = { other: null, facebook: null, telegram: null, instagram: null };

/**
 * Removes all personal data from a client's card, even a deleted one. Name and phone become the id, because
 * both are required and phones are unique. 404 without the client.
 */
export async function anonymizeClient(tenant: Tenant, id: number, at: Instant): Promise<void> {
  await retryOnContention(async () => {
    const before = await findRecord({ type: clients, tenant, id });
    if (!before) throw notFound();
    const after = {
      ...before,
      ...{ full_name: `№ ${id}`, main_phone: padId(id), additional_phones: [], external_id: null },
      ...{ gender: null, birth_date: null, image: null, image_thumbs: null, languages: [] },
      ...{ address: null, latitude: null, longitude: null, socials: NO_SOCIALS },
      updated_at: at,
    };
    if (before.full_name === after.full_name && before.main_phone === after.main_phone) return;
    await transact(replacement(clients, tenant, before, after));
  });
}
