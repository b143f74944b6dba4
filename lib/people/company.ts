import * as z from 'zod';
import { type Embed, reference } from '#lib/records/embeds.ts';
import type { RecordType } from '#lib/records/record.ts';
import { recordFields } from '#lib/records/stored.ts';
import { familyHome, PLATFORM, partnerHome, recordKey } from '#lib/table/keys.ts';
import { fold } from '#lib/values/text.ts';

/** A company or a branch of one (`parent_id` is its main company). Part 1, "User"; decisions, section 7. */
export const Company = z.object({
  ...recordFields,
  parent_id: z.int().nullable(),
  partner_id: z.int().nullable(),
  district_id: z.int().nullable(),
  name: z.string(),
  company_name: z.string().nullable(),
  inn: z.string().nullable(),
  mfo: z.string().nullable(),
  address: z.string().nullable(),
  phone: z.string().nullable(),
  director_full_name: z.string().nullable(),
  bank: z.string().nullable(),
  payment_account: z.string().nullable(),
  agreement_number: z.string().nullable(),
  agreement_date: z.string().nullable(),
  vat_percent: z.string(),
  bonus_entry_period: z.int(),
  cashbox_shift_settings: z.object({ is_enabled: z.boolean() }),
  primary_uuid: z.string(),
  sync_uuid: z.string(),
  partner_uuid: z.string(),
});

/** Companies live on the platform, and are listed for their own family and for their partner too. */
export const companies: RecordType<typeof Company> = {
  type: 'company',
  schema: Company,
  copies: ({ id, parent_id, partner_id }) => [
    familyHome(parent_id ?? id),
    ...(partner_id === null ? [] : [partnerHome(partner_id)]),
  ],
  folded: ({ name }) => ({ name: fold(name) }),
};

/** `with[]=company`: the company a record belongs to. */
export const companyEmbed: Embed = reference('company', ({ company_id }) =>
  typeof company_id === 'number' ? recordKey(companies.type, PLATFORM, company_id) : undefined,
);
