import { companies } from '#lib/people/company/record.ts';
import { nameOfEmpty } from '#lib/platform/empty-accounts.ts';
import { findRecord } from '#lib/records/record.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import type { Instant } from '#lib/values/time.ts';

/** Requires that a family's main company is deleted, and that its export was begun after that. */
export async function requireClosed(family: number, begunAt: Instant): Promise<void> {
  const company = await findRecord({ type: companies, tenant: PLATFORM, id: family });
  if (!company || company.parent_id !== null)
    throw new Error(`There is no family ${family}: it has the id of its main company.`);
  // It was begun before: what it has emptied is younger than the export.
  if (company.name === nameOfEmpty(family)) return;
  if (!company.is_deleted)
    throw new Error(`Family ${family} is open: delete its main company first, then export it again.`);
  if (company.updated_at > begunAt)
    throw new Error(`Family ${family} was changed after its export was begun: export it again.`);
}
