import * as z from 'zod';
import type { Item } from '#lib/table/client.ts';
import { type Key, recordKey, type Tenant } from '#lib/table/keys.ts';
import type { MinorUnits } from '#lib/values/money.ts';
import { History, mapSpans, type Span } from '#lib/values/value-history.ts';

/*
 * The VAT rate of a company, for cards without one. Separate from companies, which a sale never reads whole.
 * Part 5, 5A.2, 1.
 */

const CompanyVat = z.looseObject({ vat_percent: z.string().nullable() });

type CompanyVat = Readonly<Pick<z.output<typeof CompanyVat>, 'vat_percent'>>;

/** Former rates of the last 32 days, for offline sales. Part 5, 5.0, 5. */
const history = new History(
  z.tuple([z.int().nullable()]),
  ({ vat_percent }: CompanyVat): [MinorUnits | null] => [
    vat_percent === null ? null : Math.round(Number(vat_percent) * 100),
  ],
);

/** Records a company's VAT rate before a change. */
export const keepVatPercent = history.keep.bind(history);

/** Returns the key of a company in its family, whose item has its VAT rate. */
export function keyOfCompanyVat(family: Tenant, companyId: number): Key {
  return recordKey('company', family, companyId);
}

/** Returns a company's past VAT rates, in hundredths of a percent, the present first; null without one. */
export function vatSpans(item: Item | undefined): Span<MinorUnits | null>[] {
  return mapSpans(history.spans(CompanyVat.parse(item ?? { vat_percent: null })), ([percent]) => percent);
}
