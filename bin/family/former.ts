import { companies } from '#lib/people/company/record.ts';
import { whyUnreadable } from '#lib/platform/shape.ts';
import { findRecord } from '#lib/records/record.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { inTable } from './settled.ts';

/** Requires that a table has a family, and that this code can read its shape and that of the table in use. */
export async function requireFamilyIn(table: string, family: number): Promise<void> {
  const here = await whyUnreadable();
  if (here !== undefined) throw new Error(here);
  await inTable(table, async () => {
    const there = await whyUnreadable();
    if (there !== undefined) throw new Error(`${table}: ${there}`);
    const company = await findRecord({ type: companies, tenant: PLATFORM, id: family });
    if (!company) throw new Error(`${table} has no family ${family}: it was made after that minute.`);
  });
}
