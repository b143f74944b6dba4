import { randomUUID } from 'node:crypto';
import type { Administrator } from '#lib/access/actor.ts';
import { canReach } from '#lib/access/keeper.ts';
import { findRecord } from '#lib/records/record.ts';
import { insertion } from '#lib/records/record-writes.ts';
import { ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import type { Write } from '#lib/table/change/write.ts';
import { oneOf } from '#lib/table/expression.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { invalid } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import type { CompanyInput } from './input.ts';
import { companies, type NewCompany } from './record.ts';
import { mergeShiftSettings } from './settings.ts';

const records = recordsOf(companies, {
  ...ofPlatform,
  reach: ({ companies: open }) => (open === 'all' ? [] : [oneOf('id', open)]),
});

/**
 * List, get, delete and restore the companies open to an administrator. The people of a deleted one can still
 * read.
 */
export const { List, Embeds, list, get, remove, restore } = records;

/**
 * Makes a company, or a branch of a main company. `outfit` gives the writes of what it must have from the
 * start, for the same transaction. 422 on a `parent_id` that is no main company open to the administrator,
 * and on a partner or district that doesn't exist.
 */
export async function create(
  actor: Administrator,
  input: CompanyInput,
  at: Instant,
  outfit: (company: NewCompany) => Promise<readonly Write[]>,
) {
  const [id] = await Promise.all([nextId(companies.type, PLATFORM), requireMain(actor, input.parent_id)]);
  const company: NewCompany = {
    ...input,
    cashbox_shift_settings: mergeShiftSettings({ is_enabled: false }, input.cashbox_shift_settings),
    id,
    primary_uuid: randomUUID(),
    sync_uuid: randomUUID(),
    partner_uuid: randomUUID(),
    created_at: at,
    updated_at: at,
    is_deleted: false,
  };
  await retryOnContention(async () =>
    transact([...insertion(companies, PLATFORM, company), ...(await outfit(company))]),
  );
  return company;
}

/**
 * Changes a company; shift settings that are left out stay. 422 on a `parent_id` of another family: its
 * records can't move.
 */
export function edit(actor: Administrator, id: number, input: CompanyInput, at: Instant) {
  return records.change(actor, id, at, (before) => {
    if (input.parent_id !== before.parent_id) throw invalid({ parent_id: 'company.parent_fixed' });
    const shifts = mergeShiftSettings(before.cashbox_shift_settings, input.cashbox_shift_settings);
    return { ...before, ...input, cashbox_shift_settings: shifts };
  });
}

async function requireMain(actor: Administrator, parentId: number | null): Promise<void> {
  if (parentId === null) return;
  const parent = canReach(actor, parentId)
    ? await findRecord({ type: companies, home: PLATFORM, id: parentId })
    : undefined;
  if (!parent || parent.is_deleted) throw invalid({ parent_id: 'validation.not_found' });
  if (parent.parent_id !== null) throw invalid({ parent_id: 'company.parent_is_branch' });
}
