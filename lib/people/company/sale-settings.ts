import * as z from 'zod';
import { invalid } from '#lib/values/api-error.ts';
import { DayField, dayOf, type Instant } from '#lib/values/time.ts';
import { pickSent } from './sent.ts';

/** Sale settings of a family, those of its main company. Contract 9.97. */
export const SaleSettings = z.object({
  /** Days after the day of a sale during which it may still be uploaded. Part 4, 4.4, 2. */
  late_sale_days: z.int().min(0).max(31),
  /** Sales of this day or earlier are rejected. */
  books_closed_on: DayField.nullable(),
  /** Set if quantities may have no more decimals than their unit. Contract 9.112. */
  is_accuracy_checked: z.boolean(),
});

type SaleSettings = Readonly<z.output<typeof SaleSettings>>;

/** Settings as stored: those that the main company has set. */
export const ChosenSaleSettings = SaleSettings.partial();

/** Input to edit them; omitted fields stay. */
export const SaleSettingsInput = SaleSettings.partial();

const DEFAULTS: SaleSettings = { late_sale_days: 31, books_closed_on: null, is_accuracy_checked: false };

/** Returns the sale settings of a main company's family, with defaults. */
export function saleSettingsOf({
  sale_settings,
}: {
  readonly sale_settings?: z.output<typeof ChosenSaleSettings> | undefined;
}): SaleSettings {
  return merge(DEFAULTS, sale_settings ?? {});
}

/** Edits them. 422 if the books are to be closed on a day that is not over. */
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
  return SaleSettings.parse({ ...before, ...pickSent(changes) });
}
