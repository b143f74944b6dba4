import * as z from 'zod';
import { lineOfText } from '#lib/values/fields.ts';
import { pickSent } from './sent.ts';

const Choice = z.boolean();

const Header = z.object({
  store_name: Choice,
  working_hours: Choice,
  cashier: Choice,
  contacts: Choice,
  legal_name: Choice,
  client_phone: Choice,
  date: Choice,
  seller: Choice,
  client: Choice,
  tin: Choice,
  address: Choice,
});

/** The figures of a client's bonuses or debt on an invoice. */
const Figures = z.object({
  enabled: Choice,
  before: Choice,
  added: Choice,
  written_off: Choice,
  after: Choice,
});

/** Content of a company's invoices. Part 2, "Sale". */
export const InvoiceSettings = z.object({
  header: Header,
  working_hours: z.string().nullable(),
  balance: Figures,
  debt: Figures,
});

type InvoiceSettings = z.output<typeof InvoiceSettings>;

/** Input to change it; absent fields are left unchanged. */
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

/** Returns the content of a company's invoices: everything until the company chooses. */
export function invoiceSettingsOf({
  invoice_settings,
}: {
  readonly invoice_settings?: InvoiceSettings | undefined;
}): InvoiceSettings {
  return (
    invoice_settings ?? {
      header: wholeOf(Header),
      working_hours: null,
      balance: wholeOf(Figures),
      debt: wholeOf(Figures),
    }
  );
}

/** Chooses everything that a schema of choices names. */
function wholeOf<S extends z.ZodObject>(choices: S) {
  return choices.parse(Object.fromEntries(Object.keys(choices.shape).map((name) => [name, true])));
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
