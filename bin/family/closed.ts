import { companies } from '#lib/people/company/record.ts';
import { nameOfEmpty } from '#lib/platform/empty-accounts.ts';
import { findRecord } from '#lib/records/record.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import type { Instant } from '#lib/values/time.ts';

/** Lifetime of a call, with a margin: calls that began before the deletion may still run this long. */
const CALL_MS = 60_000;

/** Requires that a family's main company is deleted, and that its export was begun after that. */
export async function requireClosed(family: number, begunAt: Instant): Promise<void> {
  const company = await requireMain(family);
  // Erased in part by an earlier run: its companies were changed after the export.
  if (company.name === nameOfEmpty(family)) return;
  if (!company.is_deleted)
    throw new Error(`Family ${family} is open: delete its main company first, then export it again.`);
  if (company.updated_at > begunAt)
    throw new Error(`Family ${family} was changed after its export was begun: export it again.`);
}

/** Requires that a family's main company is deleted and no calls are running. Returns its name. */
export async function requireStill(family: number, at: Instant): Promise<string> {
  const { name, is_deleted, updated_at } = await requireMain(family);
  if (!is_deleted) throw new Error(`Family ${family} is open: delete its main company first.`);
  if (name === nameOfEmpty(family)) throw new Error(`Family ${family} was erased.`);
  if (updated_at > at - CALL_MS)
    throw new Error(`Family ${family} was closed just now, and calls may be at work: wait for a minute.`);
  return name;
}

async function requireMain(family: number) {
  const company = await findRecord({ type: companies, tenant: PLATFORM, id: family });
  if (company?.parent_id === null) return company;
  throw new Error(`There is no family ${family}: it has the id of its main company.`);
}
