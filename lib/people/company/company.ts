import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { canReach } from '#lib/auth/account-manager.ts';
import type { Administrator } from '#lib/auth/actor.ts';
import { findRecord } from '#lib/records/record.ts';
import { insertion } from '#lib/records/record-writes.ts';
import { ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import type { Stored } from '#lib/records/stored.ts';
import { check, type Write } from '#lib/table/change/write.ts';
import { equals, oneOf } from '#lib/table/expression.ts';
import { PLATFORM, recordKey } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { invalid } from '#lib/values/api-error.ts';
import { Id, optionalLine, optionalText, orNull, Phone, roundTo, text } from '#lib/values/fields.ts';
import { DayField, type Instant } from '#lib/values/time.ts';
import { companies, type NewCompany } from './record.ts';
import { segmentEnds } from './report-settings.ts';
import { mergeShiftSettings, NO_SHIFTS, ShiftSettingsInput } from './shift-settings.ts';

const digits = (pattern: RegExp) => orNull(z.string().regex(pattern));

// Share of the turnover, in percent. The first two only show the report settings: input is ignored.
const Share = orNull(roundTo(4, z.number().min(0).max(100)));

const degrees = (max: number) =>
  orNull(
    z
      .union([z.string(), z.number().transform(String)])
      .pipe(z.string().regex(/^-?\d{1,3}(\.\d{1,15})?$/))
      .refine((value) => Math.abs(Number(value)) <= max, { error: 'validation.invalid' }),
  );

const Percent = z
  .union([z.string(), z.number().transform(String)])
  .pipe(z.string().regex(/^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$/));

/** Input to create or edit a company. `parent_id` makes it a branch, and never changes. */
export const CompanyInput = z.object({
  name: text(255),
  company_name: optionalLine(255),
  parent_id: orNull(Id),
  partner_id: orNull(Id),
  district_id: orNull(Id),
  industry_id: orNull(Id),
  inn: digits(/^(\d{9}|\d{14})$/),
  mfo: digits(/^\d{5}$/),
  address: optionalLine(500),
  latitude: degrees(90),
  longitude: degrees(180),
  comment: optionalText(1000),
  phone: orNull(Phone),
  director_full_name: optionalLine(255),
  bank: optionalLine(255),
  payment_account: digits(/^\d{20}$/),
  agreement_number: optionalLine(100),
  agreement_date: orNull(DayField),
  field_of_activity: optionalLine(255),
  vat_percent: Percent.nullable().default('0'),
  bonus_entry_period: z.int().min(0).max(120).default(0),
  abc_segment_a: Share,
  abc_segment_b: Share,
  abc_segment_c: Share,
  is_pos_window_enabled: z.boolean().default(true),
  has_bank_payment_type: z.boolean().default(true),
  cashbox_shift_settings: ShiftSettingsInput.optional(),
});

export type CompanyInput = z.output<typeof CompanyInput>;

const records = recordsOf(companies, {
  ...ofPlatform,
  reach: ({ companies: open }) => (open === 'all' ? [] : [oneOf('id', open)]),
});

/**
 * List, get, delete and restore the companies open to an administrator. Users of a deleted one can still
 * read.
 */
export const { List, Embeds, list, get, remove, restore } = records;

/**
 * Creates a company, or a branch of a main company. `outfit` returns the writes of its initial records, for
 * the same transaction. 422 on a `parent_id` that is no main company open to the administrator, and on a
 * missing partner or district.
 */
export async function create(
  actor: Administrator,
  input: CompanyInput,
  at: Instant,
  outfit: (company: NewCompany) => Promise<readonly Write[]>,
) {
  const id = await nextId(companies.type, PLATFORM);
  return retryOnContention(async () => {
    const main = await findMain(actor, input.parent_id);
    const company = companyFrom(id, input, at, main);
    await transact([
      ...insertion(companies, PLATFORM, company),
      ...(await outfit(company)),
      ...(main ? [requireSame(main)] : []),
    ]);
    return company;
  });
}

/** Returns a new company; a branch has the report settings of its main company. */
export function companyFrom(
  id: number,
  input: CompanyInput,
  at: Instant,
  main: Parameters<typeof segmentEnds>[0] = {},
): NewCompany {
  return {
    ...input,
    ...segmentEnds(main),
    cashbox_shift_settings: mergeShiftSettings(NO_SHIFTS, input.cashbox_shift_settings),
    id,
    logo: null,
    primary_uuid: randomUUID(),
    sync_uuid: randomUUID(),
    partner_uuid: randomUUID(),
    created_at: at,
    updated_at: at,
    is_deleted: false,
  };
}

/**
 * Edits a company; omitted shift settings stay, as do the report settings that its segments show. 422 on a
 * `parent_id` of another family: records can't move.
 */
export function edit(actor: Administrator, id: number, input: CompanyInput, at: Instant) {
  return records.change(actor, id, at, (before) => {
    if (input.parent_id !== before.parent_id) throw invalid({ parent_id: 'company.parent_fixed' });
    const shifts = mergeShiftSettings(before.cashbox_shift_settings, input.cashbox_shift_settings);
    const { abc_segment_a, abc_segment_b } = before;
    return { ...before, ...input, abc_segment_a, abc_segment_b, cashbox_shift_settings: shifts };
  });
}

/** Finds the main company of a new branch; undefined for a main company itself. */
async function findMain(actor: Administrator, parentId: number | null) {
  if (parentId === null) return undefined;
  const parent = canReach(actor, parentId)
    ? await findRecord({ type: companies, tenant: PLATFORM, id: parentId })
    : undefined;
  if (!parent || parent.is_deleted) throw invalid({ parent_id: 'validation.not_found' });
  if (parent.parent_id !== null) throw invalid({ parent_id: 'company.parent_is_branch' });
  return parent;
}

/** Requires an unchanged main company, as a new branch shows its settings. */
function requireSame({ id, version }: Stored<typeof companies.schema>): Write {
  return check(recordKey(companies.type, PLATFORM, id), { if: equals('version', version) });
}
