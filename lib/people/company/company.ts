import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { Administrator } from '#lib/access/actor.ts';
import { branchFlag } from '#lib/access/deleted-branches.ts';
import { companyClaims } from '#lib/access/external-system.ts';
import { canReach } from '#lib/access/keeper.ts';
import { partners } from '#lib/people/company/partner.ts';
import { moveReferences, type Reference } from '#lib/records/links/references.ts';
import { type Embed, reference } from '#lib/records/query/embeds.ts';
import { exact, exactOrList, period, substring } from '#lib/records/query/filters.ts';
import { embedQuery, listQuery } from '#lib/records/query/list-query.ts';
import { findRecord, type RecordType } from '#lib/records/record.ts';
import { insertion } from '#lib/records/record-writes.ts';
import { ofPlatform, recordsOf } from '#lib/records/records-of.ts';
import { recordFields } from '#lib/records/stored.ts';
import { districts } from '#lib/regions/district.ts';
import { update, type Write } from '#lib/table/change/write.ts';
import { oneOf } from '#lib/table/expression.ts';
import { familyHome, type Home, PLATFORM, partnerHome, recordKey } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { Id } from '#lib/values/fields.ts';
import { invalid } from '#lib/values/refusal.ts';
import { fold } from '#lib/values/text.ts';
import type { Instant } from '#lib/values/time.ts';
import type { CompanyInput } from './input.ts';
import { changedShiftSettings, InvoiceSettings, ShiftSettings } from './settings.ts';

/**
 * A company or a branch of one (`parent_id` is its main company). Part 1, "User"; Decisions, 7, "Company,
 * branch".
 */
export const Company = z.object({
  ...recordFields,
  parent_id: z.int().nullable(),
  partner_id: z.int().nullable(),
  district_id: z.int().nullable(),
  industry_id: z.int().nullable().default(null),
  name: z.string(),
  company_name: z.string().nullable(),
  /** Its sizes, as a language's image has them. Nothing gives a company one yet. */
  logo: z
    .record(z.string(), z.object({ raw: z.string(), webp: z.string() }))
    .nullable()
    .default(null),
  inn: z.string().nullable(),
  mfo: z.string().nullable(),
  address: z.string().nullable(),
  latitude: z.string().nullable().default(null),
  longitude: z.string().nullable().default(null),
  comment: z.string().nullable().default(null),
  phone: z.string().nullable(),
  director_full_name: z.string().nullable(),
  bank: z.string().nullable(),
  payment_account: z.string().nullable(),
  agreement_number: z.string().nullable(),
  agreement_date: z.string().nullable(),
  field_of_activity: z.string().nullable().default(null),
  vat_percent: z.string(),
  bonus_entry_period: z.int(),
  abc_segment_a: z.number().nullable().default(null),
  abc_segment_b: z.number().nullable().default(null),
  abc_segment_c: z.number().nullable().default(null),
  is_pos_window_enabled: z.boolean().default(false),
  cashbox_shift_settings: ShiftSettings,
  has_bank_payment_type: z.boolean().default(false),
  primary_uuid: z.string(),
  sync_uuid: z.string(),
  partner_uuid: z.string(),
});

/** A company as the people of its family see it in what is theirs: its names and phone. */
export const KnownCompany = Company.pick({ id: true, name: true, company_name: true, phone: true });

/** A company with the main company it is a branch of. */
export const CompanyWithParent = Company.extend({ parent: Company.nullish() });

/** A company as the table holds it. */
const StoredCompany = CompanyWithParent.extend({ invoice_settings: InvoiceSettings.optional() });

/** A company as it is made. */
export type NewCompany = z.input<typeof Company>;

/** Companies live on the platform, and are also listed for their own family and for their partner. */
export const companies: RecordType<typeof StoredCompany> = {
  type: 'company',
  schema: StoredCompany,
  indexes: ['parent_id', 'partner_id', 'district_id', 'inn'],
  copies: ({ id, parent_id, partner_id }) => [
    familyHome(parent_id ?? id),
    ...(partner_id === null ? [] : [partnerHome(partner_id)]),
  ],
  names: companyClaims,
  folded: ({ name }) => ({ name: fold(name) }),
  alsoWrites: (home, before, after) => [
    ...moveReferences(home, before ? referencesOf(before) : [], referencesOf(after)),
    ...branchWrites(home, before, after),
  ],
};

/** `with[]=company`: the company that a record belongs to. */
export const companyEmbed: Embed = reference('company', ({ company_id }) => keyOfCompany(company_id));

/** `with[]=parent`: the main company of a branch. */
export const parentEmbed: Embed = reference('parent', ({ parent_id }) => keyOfCompany(parent_id));

const embeds = { parent: parentEmbed };

/** The filters of a list of companies. */
export const companyFilters = {
  id: exactOrList('id', Id),
  parent_id: exact('parent_id', Id),
  partner_id: exact('partner_id', Id),
  district_id: exact('district_id', Id),
  name: substring('name'),
  inn: exact('inn', z.string()),
  created_at: period('created_at'),
};

/** The list's query string. */
export const CompanyList = listQuery({
  filters: companyFilters,
  sorts: ['id', 'name'],
  embeds,
  pageSize: 20,
});

/** The query string of a single company. */
export const CompanyEmbeds = embedQuery({ embeds });

const records = recordsOf(companies, {
  ...ofPlatform,
  reach: ({ companies: open }) => (open === 'all' ? [] : [oneOf('id', open)]),
});

/**
 * List, get, delete and restore the companies open to an administrator. The people of a deleted one can still
 * read.
 */
export const { list, get, remove, restore } = records;

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
    cashbox_shift_settings: changedShiftSettings({ is_enabled: false }, input.cashbox_shift_settings),
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
    const shifts = changedShiftSettings(before.cashbox_shift_settings, input.cashbox_shift_settings);
    return { ...before, ...input, cashbox_shift_settings: shifts };
  });
}

/** Gives the key of a company's own record; undefined if the id is none. */
export function keyOfCompany(id: unknown) {
  return typeof id === 'number' ? recordKey(companies.type, PLATFORM, id) : undefined;
}

function referencesOf({ partner_id, district_id }: NewCompany): Reference[] {
  return [
    ...(partner_id === null ? [] : [{ path: 'partner_id', type: partners.type, id: partner_id }]),
    ...(district_id === null ? [] : [{ path: 'district_id', type: districts.type, id: district_id }]),
  ];
}

/** Builds the write by which a main company's item tells that a branch is deleted, or is so no more. */
function branchWrites(home: Home, before: NewCompany | undefined, after: NewCompany): Write[] {
  const { id, parent_id, is_deleted } = after;
  if (parent_id === null || !before || before.is_deleted === is_deleted) return [];
  return [update(recordKey(companies.type, home, parent_id), { set: { [branchFlag(id)]: is_deleted } })];
}

async function requireMain(actor: Administrator, parentId: number | null): Promise<void> {
  if (parentId === null) return;
  const parent = canReach(actor, parentId)
    ? await findRecord({ type: companies, home: PLATFORM, id: parentId })
    : undefined;
  if (!parent || parent.is_deleted) throw invalid({ parent_id: 'validation.not_found' });
  if (parent.parent_id !== null) throw invalid({ parent_id: 'company.parent_is_branch' });
}
