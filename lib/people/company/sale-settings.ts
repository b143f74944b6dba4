import * as z from 'zod';
import { invalid } from '#lib/values/api-error.ts';
import { DayField, dayOf, type Instant } from '#lib/values/time.ts';

/** How the desks of a family sell; a family has those of its main company. Contract 9.97. */
export const SaleSettings = z.object({
  /** So many days after the day of a sale it may still arrive. Part 4, 4.4, 2. */
  late_sale_days: z.int().min(0).max(31),
  /** No sale of this day or before is taken any more. */
  books_closed_on: DayField.nullable(),
  /** Set if no quantity may have more digits than its unit. Contract 9.112. */
  is_accuracy_checked: z.boolean(),
});

type SaleSettings = Readonly<z.output<typeof SaleSettings>>;

/** The settings as a main company keeps them: those that it has chosen. */
export const ChosenSaleSettings = SaleSettings.partial();

/** Input to change them; what is left out stays. */
export const SaleSettingsInput = SaleSettings.partial();

const FIRST: SaleSettings = { late_sale_days: 31, books_closed_on: null, is_accuracy_checked: false };

/** Reads how a main company's family sells, until it chooses otherwise. */
export function saleSettingsOf({
  sale_settings,
}: {
  readonly sale_settings?: z.output<typeof ChosenSaleSettings> | undefined;
}): SaleSettings {
  return merge(FIRST, sale_settings ?? {});
}

/** Changes them. 422 if the books are to be closed on a day that is not over. */
export function mergeSaleSettings(
  before: SaleSettings,
  changes: z.output<typeof SaleSettingsInput>,
  at: Instant,
): SaleSettings {
  const { books_closed_on: day = null } = changes;
  if (day !== null && day >= dayOf(at))
    throw invalid({ 'sale_settings.books_closed_on': 'company.books_not_over' });
  return merge(before, changes);
}

function merge(before: SaleSettings, changes: z.output<typeof SaleSettingsInput>): SaleSettings {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return SaleSettings.parse({ ...before, ...Object.fromEntries(given) });
}
