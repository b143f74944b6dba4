import type * as z from 'zod';
import { makerOf, requireTrading, type Staff } from '#lib/auth/actor.ts';
import { sumsIn } from '#lib/cash/desk/money.ts';
import type { DeskState } from '#lib/cash/desk/read.ts';
import { type PostingResult, postAtDesk, type RequestedMovement, writesAt } from '#lib/cash/posting/make.ts';
import type { ShiftSettings } from '#lib/people/company/shift-settings.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import { putNew, type Write } from '#lib/table/change/write.ts';
import { badRequest } from '#lib/values/api-error.ts';
import type { Currency, MinorUnits } from '#lib/values/money.ts';
import { dayOf, endOfDay, type Instant, startOfDay } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { currentKey, type OpeningInput, type StoredShift, shifts } from './record.ts';

/** Fields of a shift that are set when it is closed. */
const NOT_CLOSED = {
  status: 'open',
  summary: null,
  closed_by_id: null,
  collection_id: null,
  closing_action: null,
  closing_comment: null,
  closed_at: null,
} as const;

/** Desk and warehouse named by an opening; undefined if they do not exist, or are not open to the caller. */
interface ShiftPlace {
  readonly desk: DeskState | undefined;
  readonly warehouse: { readonly company_id: number } | undefined;
}

/** Data that the opening of a shift is decided by, as read. */
export interface OpeningFacts {
  /** Ids of the shift, and of its first posting. */
  readonly ids: { readonly shift: number; readonly posting: number };
  readonly desk: DeskState;
  readonly settings: z.output<typeof ShiftSettings>;
  readonly saleCurrency: Currency;
}

/** A valid opening, with all that its writes need. */
interface OpeningPlan {
  readonly shift: StoredShift;
  readonly posted: PostingResult<DeskState>;
}

/**
 * Requires a sale desk and a warehouse of its company. 422 with all failing fields; 400 for change that is
 * brought to the desk of a deleted company.
 */
export function requireShiftPlace(
  actor: Staff,
  input: Pick<OpeningInput, 'opening_balances'>,
  { desk, warehouse }: ShiftPlace,
): DeskState {
  const issues = new ValidationIssues();
  if (!desk) issues.add('cashbox_id', 'validation.not_found');
  else if (desk.type !== 'sale') issues.add('cashbox_id', 'sale.cashbox_not_for_sales');
  if (!warehouse) issues.add('stock_id', 'validation.not_found');
  else if (desk && warehouse.company_id !== desk.company_id) issues.add('stock_id', 'sale.other_company');
  if (!desk || issues.areAny) throw issues.refusal;
  // Without a shift the money in a sale desk could not be taken out.
  if (changeOf(input).length > 0) requireTrading(actor, desk);
  return desk;
}

/**
 * Decides the opening of a shift. 400 if its company works without shifts, and if the desk has one open; 422
 * on change for which the desk has no room. Contract 9.44; Contract 9.45.
 */
export function decideOpening(
  actor: Staff,
  input: OpeningInput,
  { ids, desk, settings, saleCurrency: opening_currency }: OpeningFacts,
  at: Instant,
): OpeningPlan {
  if (!settings.is_enabled) throw badRequest('shift.not_enabled');
  if (desk.money.shift) throw badRequest('shift.desk_taken');
  const opened = { id: ids.shift, creator_id: actor.id, opened_at: at, ...limitOf(settings, at) };
  const running = { ...opened, opening_balance: sumsIn(desk.money), tallies: {}, debts: {} };
  const maker = makerOf(actor);
  const source = { source_type: 'shift', source_id: ids.shift, comment: input.opening_comment } as const;
  const own = { ...desk, money: { ...desk.money, shift: running } };
  const occasion = { ...maker, ...source, at, firstId: ids.posting };
  const issues = new ValidationIssues();
  const posted = postAtDesk(own, changeOf(input), occasion, issues);
  issues.throwIfAny();
  const { company_id } = desk;
  const opening_amount = cashIn(input, opening_currency);
  const sums = { opening_currency, opening_amount, created_at: at, updated_at: at };
  return { shift: { ...input, ...NOT_CLOSED, ...opened, ...maker, company_id, ...sums }, posted };
}

/** Builds all writes of an opening, apart from its saved response. 400 if the caller has a shift open. */
export function shiftOpeningWrites(actor: Staff, { shift, posted }: OpeningPlan): Write[] {
  return [
    documentInsertion(shifts, actor.tenant, shift),
    putNew(currentKey(actor), { id: shift.id }, badRequest('shift.already_open')),
    ...writesAt(actor.tenant, posted),
  ];
}

/** Builds the desk's incomes for the change brought along. */
export function changeOf({ opening_balances }: Pick<OpeningInput, 'opening_balances'>): RequestedMovement[] {
  return opening_balances.flatMap(({ amount, ...kind }, index) => {
    const path = `opening_balances.${index}.amount`;
    return amount === 0 ? [] : [{ type: 'income', ...kind, amount, path }];
  });
}

/** Returns the cash in a currency that is brought along. Contract 9.62. */
function cashIn({ opening_balances }: OpeningInput, currency: Currency): MinorUnits {
  const cash = opening_balances.find((each) => each.payment_type === 'cash' && each.currency === currency);
  return cash?.amount ?? 0;
}

/** End of a shift's working hours, and the action on overrun. */
interface Limit {
  /** Null without a limit. */
  readonly closes_at: Instant | null;
  readonly overdue_action: 'remind' | 'block' | null;
}

/**
 * Computes the end of working hours of a shift opened at `at`: the next `working_hours_to`, possibly
 * tomorrow. Contract 9.49; Contract 9.72.
 */
export function limitOf(settings: z.output<typeof ShiftSettings>, at: Instant): Limit {
  const { is_working_hours_enabled, is_round_the_clock, working_hours_to: to, overdue_action } = settings;
  if (!is_working_hours_enabled || is_round_the_clock || to === null) {
    return { closes_at: null, overdue_action: null };
  }
  const day = dayOf(at);
  const [hours = 0, minutes = 0] = to.split(':').map(Number);
  const sinceMidnight = (hours * 60 + minutes) * 60_000;
  const today = startOfDay(day) + sinceMidnight;
  return { closes_at: today > at ? today : endOfDay(day) + sinceMidnight, overdue_action };
}
