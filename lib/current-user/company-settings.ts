import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import {
  InvoiceSettings,
  InvoiceSettingsInput,
  invoiceSettingsOf,
  mergeInvoiceSettings,
} from '#lib/people/company/invoice-settings.ts';
import { companies } from '#lib/people/company/record.ts';
import {
  mergeReportSettings,
  ReportSettings,
  ReportSettingsInput,
  reportSettingsOf,
  segmentEnds,
} from '#lib/people/company/report-settings.ts';
import {
  mergeSaleSettings,
  SaleSettings,
  SaleSettingsInput,
  saleSettingsOf,
} from '#lib/people/company/sale-settings.ts';
import { ScaleSettings, ScaleSettingsInput } from '#lib/people/company/scale-settings.ts';
import { mergeShiftSettings, ShiftSettings, ShiftSettingsInput } from '#lib/people/company/shift-settings.ts';
import { findRecord } from '#lib/records/record.ts';
import { editRecord } from '#lib/records/record-writes.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { notFound } from '#lib/values/api-error.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

/**
 * Settings of a company; those of reports, sales and scales are its main company's. Contract 9.61; Contract
 * 9.97; Part 4, 4.5, 4; Part 5, 5A.12, 2.
 */
export const CompanySettings = z.object({
  cashbox_shift_settings: ShiftSettings,
  invoice_settings: InvoiceSettings,
  report_settings: ReportSettings,
  sale_settings: SaleSettings,
  scale_settings: ScaleSettings,
});

/** Input to edit them; omitted fields stay. */
export const CompanySettingsInput = z.object({
  cashbox_shift_settings: ShiftSettingsInput.optional(),
  invoice_settings: InvoiceSettingsInput.optional(),
  report_settings: ReportSettingsInput.optional(),
  sale_settings: SaleSettingsInput.optional(),
  scale_settings: ScaleSettingsInput.optional(),
});

/** Reads the settings of the caller's own company, even a deleted one. */
export async function get({ companyId, familyId }: Staff) {
  const [company, main] = await Promise.all([companyAt(companyId), companyAt(familyId)]);
  if (!company || !main) throw notFound();
  const { cashbox_shift_settings, version } = company;
  return {
    cashbox_shift_settings,
    invoice_settings: invoiceSettingsOf(company),
    report_settings: reportSettingsOf(main),
    sale_settings: saleSettingsOf(main),
    scale_settings: main.scale_settings ?? [],
    version,
  };
}

/**
 * Edits them. 422 if enforced working hours lack a beginning or an end, on segments that do not follow each
 * other, on `report_settings`, `sale_settings` and `scale_settings` for the staff of a branch, and on closed
 * books as in `mergeSaleSettings`.
 */
export async function edit(actor: Staff, input: z.output<typeof CompanySettingsInput>, at: Instant) {
  const { cashbox_shift_settings, invoice_settings, report_settings, sale_settings, scale_settings } = input;
  requireMain(actor, input);
  await editRecord({ type: companies, tenant: PLATFORM, id: actor.companyId }, at, (before) => ({
    ...before,
    cashbox_shift_settings: mergeShiftSettings(before.cashbox_shift_settings, cashbox_shift_settings),
    ...(invoice_settings && {
      invoice_settings: mergeInvoiceSettings(invoiceSettingsOf(before), invoice_settings),
    }),
    ...(report_settings && withSegments(mergeReportSettings(reportSettingsOf(before), report_settings))),
    ...(sale_settings && {
      sale_settings: mergeSaleSettings(actor, saleSettingsOf(before), sale_settings, at),
    }),
    ...(scale_settings && { scale_settings }),
  }));
  return get(actor);
}

/** Requires the main company's staff for settings of the whole family. 422 otherwise. */
function requireMain(
  { companyId, familyId }: Staff,
  { report_settings, sale_settings, scale_settings }: z.output<typeof CompanySettingsInput>,
): void {
  if (companyId === familyId) return;
  const issues = new ValidationIssues();
  if (report_settings) issues.add('report_settings', 'company.reports_of_main');
  if (sale_settings) issues.add('sale_settings', 'company.sales_of_main');
  if (scale_settings) issues.add('scale_settings', 'company.scales_of_main');
  issues.throwIfAny();
}

function withSegments(report_settings: ReportSettings) {
  return { report_settings, ...segmentEnds({ report_settings }) };
}

function companyAt(id: number) {
  return findRecord({ type: companies, tenant: PLATFORM, id });
}
