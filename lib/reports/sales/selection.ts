import type { Staff } from '#lib/auth/actor.ts';
import { desks } from '#lib/cash/desk/desk.ts';
import { companiesFor, memberOf, pick, placesFor } from '#lib/reports/frame/reach.ts';
import type { RollupSelection } from '#lib/table/rollups/read.ts';
import { type Day, daysBetween, monthsOf } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { SalesFilter, SalesGroup } from './query.ts';

/** Grouped by day, more desks than these limit the days. Part 4, 4.5. */
const MANY_DESKS = 10;
const MAX_DAYS_OF_MANY = 92;

/** Longest period by hour, in days. Part 5, 5B.12, 2. */
const MAX_DAYS_OF_HOURS = 7;

/** Selection of sales and returns. */
export interface SalesSelection extends RollupSelection {
  readonly isCompany: (id: number) => boolean;
  readonly isDay: (day: Day) => boolean;
  /** Selection of corrections of costs, which have no desk: none if desks are selected. Part 5, 5A.4, 4. */
  readonly corrections: RollupSelection;
}

/**
 * Resolves the selection of a report: the caller's reach and the filters. 422 on a filter out of reach, and
 * on too many days for so many desks. One round trip, none without filters and for few days.
 */
export async function readSalesSelection(
  actor: Staff,
  { group, filter }: { readonly group: SalesGroup; readonly filter: SalesFilter },
): Promise<SalesSelection> {
  const { company_id, cashbox_id, date } = filter;
  const days = daysBetween(date.from, date.to) + 1;
  const isLong = group === 'day' && days > MAX_DAYS_OF_MANY;
  const [companies, places] = await Promise.all([
    company_id ? companiesFor(actor) : [],
    cashbox_id || isLong ? placesFor(actor, desks.type, actor.cashDesks) : [],
  ]);
  const issues = new ValidationIssues();
  pick(companies, company_id, 'filter.company_id', issues);
  const picked = pick(places, cashbox_id, 'filter.cashbox_id', issues);
  const selling = picked.filter(({ type }) => type === 'sale');
  const selected = selling.filter((desk) => !company_id || company_id.includes(desk.company_id));
  if (isLong && selected.length > MANY_DESKS) {
    issues.add('filter.date', { key: 'report.too_many_days', with: { max: MAX_DAYS_OF_MANY } });
  }
  if (group === 'hour' && days > MAX_DAYS_OF_HOURS) {
    issues.add('filter.date', { key: 'report.too_many_days', with: { max: MAX_DAYS_OF_HOURS } });
  }
  issues.throwIfAny();
  const isDesk = memberOf(cashbox_id ?? actor.cashDesks);
  const isByDesk = cashbox_id !== undefined || actor.cashDesks !== 'all';
  const isCompany = memberOf(company_id ?? actor.companies);
  const periods = monthsOf(date.from, date.to);
  return {
    isGroup: (desk) => isDesk(Number(desk)),
    periods,
    isCompany,
    isDay: (day) => date.from <= day && day <= date.to,
    corrections: {
      isGroup: (group) => !isByDesk && !group.includes('.') && isCompany(Number(group)),
      periods,
    },
  };
}
