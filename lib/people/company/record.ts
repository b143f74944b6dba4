import * as z from 'zod';
import { companyUuidConstraints } from '#lib/auth/keys/external-system.ts';
import { branchFlag } from '#lib/auth/workplace.ts';
import { type Embed, reference, sameTenantReference } from '#lib/records/query/embeds.ts';
import { exact, exactOrList, period, substring } from '#lib/records/query/filters.ts';
import type { RecordType } from '#lib/records/record.ts';
import { replacement } from '#lib/records/record-writes.ts';
import { referenceTo } from '#lib/records/references.ts';
import { parseRecord, recordFields } from '#lib/records/stored.ts';
import { update, type Write } from '#lib/table/change/write.ts';
import { familyTenant, PLATFORM, partition, partnerTenant, recordKey, type Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { SoughtCode } from '#lib/values/code.ts';
import { Id } from '#lib/values/fields.ts';
import { nameSearchText } from '#lib/values/localized.ts';
import { booksWrites } from './closed-books.ts';
import { InvoiceSettings } from './invoice-settings.ts';
import { keyOfCompany } from './known.ts';
import { ReportSettings } from './report-settings.ts';
import { ChosenSaleSettings } from './sale-settings.ts';
import { ScaleSettings } from './scale-settings.ts';
import { ShiftSettings } from './shift-settings.ts';
import { keepVatPercent } from './vat.ts';

// An import makes each schema that is written down, so these are written once.
const Text = z.string().nullable();
const Reference = z.int().nullable();
const Share = z.number().nullable();

/**
 * A company or a branch of one (`parent_id` is its main company). Part 1, "User"; Contract 7, "Company,
 * branch".
 */
export const Company = z.object({
  ...recordFields,
  parent_id: Reference,
  partner_id: Reference,
  district_id: Reference,
  industry_id: Reference,
  name: z.string(),
  company_name: Text,
  /** Its sizes, like a language's image. No endpoint sets it yet. */
  logo: z.record(z.string(), z.object({ raw: z.string(), webp: z.string() })).nullable(),
  inn: Text,
  mfo: Text,
  address: Text,
  latitude: Text,
  longitude: Text,
  comment: Text,
  phone: Text,
  director_full_name: Text,
  bank: Text,
  payment_account: Text,
  agreement_number: Text,
  agreement_date: Text,
  field_of_activity: Text,
  /** VAT rate of cards without one. Part 5, 5A.2, 1. */
  vat_percent: Text,
  bonus_entry_period: z.int(),
  abc_segment_a: Share,
  abc_segment_b: Share,
  abc_segment_c: Share,
  is_pos_window_enabled: z.boolean(),
  cashbox_shift_settings: ShiftSettings,
  has_bank_payment_type: z.boolean(),
  primary_uuid: z.string(),
  sync_uuid: z.string(),
  partner_uuid: z.string(),
});

/** A company with its main company. */
export const CompanyWithParent = Company.extend({ parent: Company.nullish() });

/** A company as stored. */
const StoredCompany = CompanyWithParent.extend({
  invoice_settings: InvoiceSettings.optional(),
  report_settings: ReportSettings.optional(),
  sale_settings: ChosenSaleSettings.optional(),
  scale_settings: ScaleSettings.optional(),
});

/** A new company. */
export type NewCompany = z.input<typeof Company>;

/** Companies are stored on the platform, and copied to their family and their partner for listing. */
export const companies: RecordType<typeof StoredCompany> = {
  type: 'company',
  copied: 'company.company',
  schema: StoredCompany,
  filters: {
    id: exactOrList('id', Id),
    parent_id: exact('parent_id', Id),
    partner_id: exact('partner_id', Id),
    district_id: exact('district_id', Id),
    name: substring('name'),
    inn: exact('inn', SoughtCode),
    created_at: period('created_at'),
  },
  sorts: ['id', 'name'],
  // A partner sees the main company only if it is also the partner's: it is read from each reader's own
  // tenant.
  embeds: { parent: sameTenantReference('parent', 'company') },
  copies: ({ id, parent_id, partner_id }) => [
    familyTenant(parent_id ?? id),
    ...(partner_id === null ? [] : [partnerTenant(partner_id)]),
  ],
  names: companyUuidConstraints,
  keeps: keepVatPercent,
  ...nameSearchText,
  references: ({ partner_id, district_id }) => [
    ...referenceTo('partner', 'partner_id', partner_id),
    ...referenceTo('district', 'district_id', district_id),
  ],
  alsoWrites: (tenant, before, after) => [
    ...branchWrites(tenant, before, after),
    ...booksWrites(before, after),
  ],
  furtherWrites: segmentWrites,
};

/** Builds the writes that copy a main company's changed report settings to its branches. */
async function segmentWrites(_: Tenant, before: NewCompany, after: NewCompany): Promise<Write[]> {
  const { id, parent_id, abc_segment_a, abc_segment_b, updated_at } = after;
  const isSame = abc_segment_a === before.abc_segment_a && abc_segment_b === before.abc_segment_b;
  if (parent_id !== null || isSame) return [];
  const family = await wholePartition(partition(companies.type, familyTenant(id)));
  const branches = family.filter((each) => each['id'] !== id);
  const items = await getItems(branches.map((each) => keyOfCompany(each['id'])));
  return items.flatMap((item) => {
    const branch = parseRecord(companies.schema, item);
    const shown = { ...branch, abc_segment_a, abc_segment_b, updated_at };
    return replacement(companies, PLATFORM, branch, shown);
  });
}

/** `with[]=parent`: the main company of a branch. */
export const parentEmbed: Embed = reference('parent', ({ parent_id }) => keyOfCompany(parent_id));

/** Builds the write that records a branch's deletion or restoration in its main company's item. */
function branchWrites(tenant: Tenant, before: NewCompany | undefined, after: NewCompany): Write[] {
  const { id, parent_id, is_deleted } = after;
  if (parent_id === null || !before || before.is_deleted === is_deleted) return [];
  return [update(recordKey(companies.type, tenant, parent_id), { set: { [branchFlag(id)]: is_deleted } })];
}
