import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { companies } from '#lib/people/company/record.ts';
import {
  InvoiceSettings,
  InvoiceSettingsInput,
  invoiceSettingsOf,
  mergeInvoiceSettings,
  mergeShiftSettings,
  ShiftSettings,
  ShiftSettingsInput,
} from '#lib/people/company/settings.ts';
import { findRecord } from '#lib/records/record.ts';
import { editRecord } from '#lib/records/record-writes.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { missing } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';

/** The settings of a company. Decisions, 9 (61). */
export const CompanySettings = z.object({
  cashbox_shift_settings: ShiftSettings,
  invoice_settings: InvoiceSettings,
});

/** Input to change them; what is left out stays. */
export const CompanySettingsInput = z.object({
  cashbox_shift_settings: ShiftSettingsInput.optional(),
  invoice_settings: InvoiceSettingsInput.optional(),
});

/** Reads the settings of the caller's own company, even a deleted one. */
export async function get({ companyId: id }: Staff) {
  const company = await findRecord({ type: companies, home: PLATFORM, id });
  if (!company) throw missing();
  const { cashbox_shift_settings, version } = company;
  return { cashbox_shift_settings, invoice_settings: invoiceSettingsOf(company), version };
}

/** Changes them. 422 on working hours that are to be kept and have no beginning or end. */
export async function edit(actor: Staff, input: z.output<typeof CompanySettingsInput>, at: Instant) {
  await editRecord({ type: companies, home: PLATFORM, id: actor.companyId }, at, (before) => {
    const { cashbox_shift_settings, invoice_settings } = input;
    return {
      ...before,
      cashbox_shift_settings: mergeShiftSettings(before.cashbox_shift_settings, cashbox_shift_settings),
      ...(invoice_settings && {
        invoice_settings: mergeInvoiceSettings(invoiceSettingsOf(before), invoice_settings),
      }),
    };
  });
  return get(actor);
}
