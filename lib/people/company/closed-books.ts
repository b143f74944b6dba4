import type { Staff } from '#lib/auth/actor.ts';
import { check, put, type Write } from '#lib/table/change/write.ts';
import { absent, any, between, equals } from '#lib/table/expression.ts';
import { familyTenant, type Key, type Tenant } from '#lib/table/keys.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { type Day, dayOf, daysAfter, type Instant } from '#lib/values/time.ts';
import { saleSettingsOf } from './sale-settings.ts';

/*
 * Closed books as an item of their own, beside the settings that show them. Cancels of past days check it in
 * their own transactions, so that nothing is canceled once its day is closed. ADR 63.
 */

/** Longest time from a call to its commit, and the difference of two clocks. */
const MAX_DELAY_MS = 15 * 60_000;

/** Earliest day that a date field takes. */
const FIRST_DAY: Day = '0000-01-01';

/**
 * Requires that the day on which something was made is not closed, until the commit of the returned writes.
 * 400 otherwise. A day that is not over can't be closed, so nothing is checked for it. Part 5, 5A.9, 1.
 */
export function requireOpenBooks(actor: Staff, madeAt: Instant, at: Instant): Write[] {
  const day = dayOf(madeAt);
  const { books_closed_on } = saleSettingsOf({ sale_settings: actor.saleSettings });
  const otherwise = badRequest('books.closed');
  if (books_closed_on !== null && day <= books_closed_on) throw otherwise;
  if (day >= dayOf(at + MAX_DELAY_MS)) return [];
  const isEarlier = between('closed_on', FIRST_DAY, daysAfter(day, -1));
  const isOpen = any([absent('closed_on'), equals('closed_on', null), isEarlier]);
  return [check(booksKey(actor.tenant), { if: isOpen, otherwise })];
}

/** A main company's settings as stored. */
interface Settings extends NonNullable<Parameters<typeof saleSettingsOf>[0]> {
  readonly id: number;
}

/** Builds the write of a main company's changed settings that closes its books, or opens them again. */
export function booksWrites(before: Settings | undefined, after: Settings): Write[] {
  const closed_on = saleSettingsOf(after).books_closed_on;
  if (!before || closed_on === saleSettingsOf(before).books_closed_on) return [];
  return [put(booksKey(familyTenant(after.id)), { closed_on })];
}

function booksKey(tenant: Tenant): Key {
  return { pk: `closed-books#${tenant}`, sk: 'day' };
}
