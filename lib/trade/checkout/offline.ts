import { hasRight, type Staff } from '#lib/auth/actor.ts';
import { saleSettingsOf } from '#lib/people/company/sale-settings.ts';
import { MAX_AHEAD_MS } from '#lib/trade/pricing/moment.ts';
import type { SaleInput } from '#lib/trade/sale/input.ts';
import { isOffline } from '#lib/trade/sale/write.ts';
import { dayOf, daysBetween, type Instant } from '#lib/values/time.ts';
import type { ValidationIssues } from '#lib/values/validation-issues.ts';

const DAY_MS = 86_400_000;

/** How late a sale may arrive. Part 4, 4.4, 2. */
const MAX_LATE_MS = 31 * DAY_MS;

const BE_LATE = 'company.trade.sale.late';

interface Arriving {
  readonly at: Instant;
  /** When it first came, if it waits. */
  readonly arrived_at?: Instant | undefined;
  /** Set if somebody tries a refused sale again: that takes no right to be late. */
  readonly isRetry?: true | undefined;
  /** Set if it is made as of now: then it was sold at no day that may be too long ago, or closed. */
  readonly isAsOfNow?: boolean | undefined;
}

/**
 * Checks when a late sale was sold, by when it first arrived: neither too long ago, nor in the future, nor on
 * a day whose books are closed; and that its copy is no younger. Part 4, 4.4, 2; Part 4, 4.4, 3.
 */
export function checkSoldAt(
  actor: Staff,
  { sold_at, known_at }: Pick<SaleInput, 'sold_at' | 'known_at'>,
  { at, arrived_at = at, isRetry, isAsOfNow }: Arriving,
  issues: ValidationIssues,
): void {
  if (known_at !== null && sold_at === null) issues.add('known_at', 'sale.known_not_late');
  if (sold_at === null) return;
  if (known_at !== null && (known_at > sold_at || known_at < arrived_at - MAX_LATE_MS)) {
    issues.add('known_at', 'sale.known_at');
  }
  if (isAsOfNow) return;
  const { late_sale_days, books_closed_on } = saleSettingsOf({ sale_settings: actor.saleSettings });
  const oldest = arrived_at - MAX_LATE_MS;
  const daysOffline = daysBetween(dayOf(sold_at), dayOf(arrived_at));
  if (sold_at < oldest || sold_at > at + MAX_AHEAD_MS || daysOffline > late_sale_days) {
    issues.add('sold_at', 'sale.sold_at');
  }
  if (books_closed_on !== null && dayOf(sold_at) <= books_closed_on) {
    issues.add('sold_at', 'sale.books_closed');
  }
  if (!isRetry && isOffline(sold_at, arrived_at) && !hasRight(actor, BE_LATE)) {
    issues.add('sold_at', 'sale.late_forbidden');
  }
}
