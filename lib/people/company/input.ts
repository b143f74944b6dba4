import * as z from 'zod';
import { Id, optionalLine, optionalText, orNull, Phone, roundTo, text } from '#lib/values/fields.ts';
import { DayField } from '#lib/values/time.ts';
import { ShiftSettingsInput } from './settings.ts';

const digits = (pattern: RegExp) => orNull(z.string().regex(pattern));

// A part of the turnover, in percent.
const Share = orNull(roundTo(4, z.number().min(0).max(100)));

const degrees = (most: number) =>
  orNull(
    z
      .union([z.string(), z.number().transform(String)])
      .pipe(z.string().regex(/^-?\d{1,3}(\.\d{1,15})?$/))
      .refine((value) => Math.abs(Number(value)) <= most, { error: 'validation.invalid' }),
  );

const Percent = z
  .union([z.string(), z.number().transform(String)])
  .pipe(z.string().regex(/^(100(\.0{1,2})?|\d{1,2}(\.\d{1,2})?)$/));

/** Input to make or edit a company. `parent_id` makes it a branch, and never changes. */
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
  vat_percent: Percent.default('0'),
  bonus_entry_period: z.int().min(0).max(120).default(0),
  abc_segment_a: Share,
  abc_segment_b: Share,
  abc_segment_c: Share,
  is_pos_window_enabled: z.boolean().default(false),
  has_bank_payment_type: z.boolean().default(false),
  cashbox_shift_settings: ShiftSettingsInput.optional(),
});

export type CompanyInput = z.output<typeof CompanyInput>;
