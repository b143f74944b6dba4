import * as z from 'zod';
import { hasRight, type Staff } from '#lib/auth/actor.ts';
import { invalid } from '#lib/values/api-error.ts';
import { type Day, DayField, dayOf, type Instant } from '#lib/values/time.ts';
import { pickSent } from './sent.ts';

/** Sale settings of a family, those of its main company. Contract 9.97. */
export const SaleSettings = z.object({
  /** Days after the day of a sale during which it may still be uploaded. Part 4, 4.4, 2. */
  late_sale_days: z.int().min(0).max(31),
  /** Last closed day: nothing of it or earlier is canceled, no sale is accepted. Part 5, 5A.9. */
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

/** Right to close further days. */
const CLOSE = 'company.company.close-books';

/** Right to open closed days again. */
const REOPEN = 'company.company.reopen-books';

/**
 * Edits them. 422 if the books are to be closed on a day that is not over, or moved without the right to
 * that. Part 5, 5A.9.
 */
export function mergeSaleSettings(
  actor: Staff,
  before: SaleSettings,
  changes: z.output<typeof SaleSettingsInput>,
  at: Instant,
): SaleSettings {
  const after = merge(before, changes);
  const { books_closed_on: day } = after;
  const path = 'sale_settings.books_closed_on';
  if (day === before.books_closed_on) return after;
  if (day !== null && day >= dayOf(at)) throw invalid({ [path]: 'company.books_not_over' });
  const isClosing = closesMore(before.books_closed_on, day);
  const right = isClosing ? CLOSE : REOPEN;
  const key = isClosing ? 'company.close_forbidden' : 'company.reopen_forbidden';
  if (!hasRight(actor, right)) throw invalid({ [path]: { key, with: { right } } });
  return after;
}

function closesMore(before: Day | null, after: Day | null): boolean {
  return after !== null && (before === null || before < after);
}

function merge(before: SaleSettings, changes: z.output<typeof SaleSettingsInput>): SaleSettings {
  return SaleSettings.parse({ ...before, ...pickSent(changes) });
}
