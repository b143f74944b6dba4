import type { PrintedForm } from '#lib/files/printed-form.ts';
import { type LabelKey, translateLabel } from '#lib/values/labels/label.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Invoice } from './invoice.ts';

const FIGURES = ['before', 'added', 'written_off', 'after'] as const;

/** Returns the lines above the table: those enabled in the settings, and with a value. */
export function headOf({ settings, company, client, cashier, creator }: Invoice, locale: Locale): string[] {
  const lines = [
    ['store_name', company.name],
    ['legal_name', company.legal_name],
    ['tin', company.tin],
    ['address', company.address],
    ['contacts', company.phone],
    ['working_hours', settings.working_hours],
    ['seller', creator.full_name],
    ['cashier', cashier.full_name],
    ['client', client?.full_name],
    ['client_phone', client?.phone],
  ] as const;
  return lines.flatMap(([part, value]) =>
    settings.header[part] && value ? translateLabel(locale, { key: `form.${part}`, with: { value } }) : [],
  );
}

/** Returns the client's bonuses and debt, as far as enabled in the settings. */
export function balanceLines(invoice: Invoice, currency: string, locale: Locale): PrintedForm['summary'] {
  if (!invoice.client) return [];
  return (['balance', 'debt'] as const).flatMap((section) => {
    const { enabled, ...settings } = invoice.settings[section];
    return FIGURES.filter((figure) => enabled && settings[figure]).map((figure) => ({
      label: translateLabel(locale, { key: `form.${section}.${figure}`, with: { currency } }),
      amount: invoice[section][figure],
    }));
  });
}

const PARTS = [
  ['legal_name', 'legal_name'],
  ['tin', 'tin'],
  ['address', 'address'],
  ['contacts', 'phone'],
] as const;

/** Returns the requisites of a company for the head of a slip: its name, then the others that it has. */
export function requisitesOf(company: Invoice['company'], locale: Locale): string[] {
  const lines = PARTS.flatMap(([part, field]) => {
    const value = company[field];
    const key: LabelKey = `form.${part}`;
    return value ? translateLabel(locale, { key, with: { value } }) : [];
  });
  return [company.name, ...lines];
}
