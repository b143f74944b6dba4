import * as z from 'zod';
import { lineOfText } from '#lib/values/fields.ts';
import { Problems } from '#lib/values/problems.ts';

const shiftFields = {
  is_enabled: z.boolean(),
  is_working_hours_enabled: z.boolean(),
  working_hours_from: z.iso.time({ precision: -1, error: 'validation.wrong_format' }).nullable(),
  working_hours_to: z.iso.time({ precision: -1, error: 'validation.wrong_format' }).nullable(),
  is_round_the_clock: z.boolean(),
  overdue_action: z.enum(['remind', 'block']),
};

/** The shift rules of a company's desks. Decisions, 9 (61). */
export const ShiftSettings = z.object({
  is_enabled: shiftFields.is_enabled,
  is_working_hours_enabled: shiftFields.is_working_hours_enabled.default(false),
  working_hours_from: shiftFields.working_hours_from.default(null),
  working_hours_to: shiftFields.working_hours_to.default(null),
  is_round_the_clock: shiftFields.is_round_the_clock.default(false),
  overdue_action: shiftFields.overdue_action.default('remind'),
});

/** Input to change them; what is left out stays. */
export const ShiftSettingsInput = z.object(shiftFields).partial();

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

/** The figures of a client's bonuses or debt on an invoice. */
const Figures = z.object({
  enabled: z.boolean(),
  before: z.boolean(),
  added: z.boolean(),
  written_off: z.boolean(),
  after: z.boolean(),
});

/** The choice of what a company's invoices tell. Part 2, "Sale". */
export const InvoiceSettings = z.object({
  header: Header,
  working_hours: z.string().nullable(),
  balance: Figures,
  debt: Figures,
});

type InvoiceSettings = z.output<typeof InvoiceSettings>;

/** Input to change it; what is left out stays. */
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

const EVERY_FIGURE = { enabled: true, before: true, added: true, written_off: true, after: true };

const EVERYTHING: InvoiceSettings = {
  header: {
    store_name: true,
    working_hours: true,
    cashier: true,
    contacts: true,
    legal_name: true,
    client_phone: true,
    date: true,
    seller: true,
    client: true,
    tin: true,
    address: true,
  },
  working_hours: null,
  balance: EVERY_FIGURE,
  debt: EVERY_FIGURE,
};

/** Reads what a company's invoices tell: everything, until it chooses. */
export function invoiceSettingsOf({
  invoice_settings,
}: {
  readonly invoice_settings?: InvoiceSettings | undefined;
}): InvoiceSettings {
  return invoice_settings ?? EVERYTHING;
}

/** Changes shift settings. 422 on working hours that are to be kept and have no beginning or end. */
export function mergeShiftSettings(
  before: z.input<typeof ShiftSettings>,
  changes: z.output<typeof ShiftSettingsInput> = {},
): z.output<typeof ShiftSettings> {
  const settings = ShiftSettings.parse({ ...before, ...pickSent(changes) });
  if (!settings.is_working_hours_enabled || settings.is_round_the_clock) return settings;
  const problems = new Problems();
  for (const field of ['working_hours_from', 'working_hours_to'] as const) {
    if (settings[field] === null) problems.add(`cashbox_shift_settings.${field}`, 'validation.required');
  }
  problems.throwIfAny();
  return settings;
}

/** Changes invoice settings. */
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

/** Picks what was given: a field that a form leaves empty is there, and undefined. */
function pickSent(changes: object = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
