import { type LabelKey, translateLabel } from '#lib/values/labels/label.ts';
import type { Locale } from '#lib/values/text.ts';
import type { Invoice } from './invoice.ts';

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
