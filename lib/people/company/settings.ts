import * as z from 'zod';
import { lineOfText } from '#lib/values/fields.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

const HourField = z.iso.time({ precision: -1, error: 'validation.wrong_format' }).nullable();

/** Shift settings of a company's desks. Contract 9.61. */
export const ShiftSettings = z.object({
  is_enabled: z.boolean(),
  is_working_hours_enabled: z.boolean(),
  working_hours_from: HourField,
  working_hours_to: HourField,
  is_round_the_clock: z.boolean(),
  overdue_action: z.enum(['remind', 'block']),
});

type ShiftSettings = z.output<typeof ShiftSettings>;

/** Input to edit them; omitted fields stay. */
export const ShiftSettingsInput = ShiftSettings.partial();

/** Shift settings of a new company. */
export const NO_SHIFTS: ShiftSettings = {
  is_enabled: false,
  is_working_hours_enabled: false,
  working_hours_from: null,
  working_hours_to: null,
  is_round_the_clock: false,
  overdue_action: 'remind',
};

const Header = z.object({
  store_name: z.boolean(),
  working_hours: z.boolean(),
  cashier: z.boolean(),
  contacts: z.boolean(),
  legal_name: z.boolean(),
  client_phone: z.boolean(),
  date: z.boolean(),
  seller: z.boolean(),
  client: z.boolean(),
  tin: z.boolean(),
  address: z.boolean(),
});

/** Figures of a client's bonuses or debt on an invoice. */
const Figures = z.object({
  enabled: z.boolean(),
  before: z.boolean(),
  added: z.boolean(),
  written_off: z.boolean(),
  after: z.boolean(),
});

/** Contents of a company's invoices. Part 2, "Sale". */
export const InvoiceSettings = z.object({
  header: Header,
  working_hours: z.string().nullable(),
  balance: Figures,
  debt: Figures,
});

type InvoiceSettings = z.output<typeof InvoiceSettings>;

/** Input to edit them; omitted fields stay. */
export const InvoiceSettingsInput = z
  .object({
    header: Header.partial(),
    working_hours: lineOfText(255)
      .nullable()
      .transform((hours) => hours || null),
    balance: Figures.partial(),
    debt: Figures.partial(),
  })
  .partial();

const EVERYTHING: InvoiceSettings = {
  header: wholeOf(Header),
  working_hours: null,
  balance: wholeOf(Figures),
  debt: wholeOf(Figures),
};

/** Returns a schema's choices with all of them selected. */
function wholeOf<S extends z.ZodObject>(choices: S) {
  return choices.parse(Object.fromEntries(Object.keys(choices.shape).map((name) => [name, true])));
}

/** Returns the invoice settings of a company; everything by default. */
export function invoiceSettingsOf({
  invoice_settings,
}: {
  readonly invoice_settings?: InvoiceSettings | undefined;
}): InvoiceSettings {
  return invoice_settings ?? EVERYTHING;
}

/** Edits shift settings. 422 if enforced working hours lack a beginning or an end. */
export function mergeShiftSettings(
  before: ShiftSettings,
  changes: z.output<typeof ShiftSettingsInput> = {},
): ShiftSettings {
  const settings = ShiftSettings.parse({ ...before, ...pickSent(changes) });
  if (!settings.is_working_hours_enabled || settings.is_round_the_clock) return settings;
  const issues = new ValidationIssues();
  for (const field of ['working_hours_from', 'working_hours_to'] as const) {
    if (settings[field] === null) issues.add(`cashbox_shift_settings.${field}`, 'validation.required');
  }
  issues.throwIfAny();
  return settings;
}

/** Edits invoice settings. */
export function mergeInvoiceSettings(
  before: InvoiceSettings,
  changes: z.output<typeof InvoiceSettingsInput>,
): InvoiceSettings {
  return InvoiceSettings.parse({
    ...before,
    ...pickSent(changes),
    header: { ...before.header, ...pickSent(changes.header) },
    balance: { ...before.balance, ...pickSent(changes.balance) },
    debt: { ...before.debt, ...pickSent(changes.debt) },
  });
}

/** Picks the defined fields: an empty form field is present, but undefined. */
function pickSent(changes: object = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
