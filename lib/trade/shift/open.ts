import type * as z from 'zod';
import { makerOf, requireTrading, type Staff } from '#lib/auth/actor.ts';
import { ratesOf } from '#lib/cash/company-rates.ts';
import { sumsIn } from '#lib/cash/desk/money.ts';
import { deskIn, deskKeys, shiftSettingsOf } from '#lib/cash/desk/read.ts';
import { postAtDesk, type RequestedMovement, writesAt } from '#lib/cash/posting/make.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import type { ShiftSettings } from '#lib/people/company/shift-settings.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { putNew, type Write } from '#lib/table/change/write.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { badRequest, forbidden } from '#lib/values/api-error.ts';
import type { Currency, MinorUnits } from '#lib/values/money.ts';
import { dayOf, endOfDay, type Instant, startOfDay } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { type CashboxShift, currentKey, type OpeningInput, type StoredShift, shifts } from './record.ts';
import { type AnswerContext, readParties, runningSummary, showShift } from './show.ts';

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

/**
 * Opens a shift at a sale desk: from now on, every movement there belongs to it. Change brought along is an
 * income of the desk. 403 for an API key; 400 if its company works without shifts, and if the desk or the
 * caller has one open; 422 with all failing fields. Contract 9.44; Contract 9.45; Contract 9.46;
 * Contract 9.145.
 */
export async function openShift(
  actor: Staff,
  input: OpeningInput,
  context: AnswerContext,
  saveResponse: (shift: CashboxShift) => Write[],
): Promise<CashboxShift> {
  if (actor.type === 'key') throw forbidden();
  const { tenant } = actor;
  const { at } = context;
  const brought = changeOf(input);
  return retryOnContention(async () => {
    const [id, firstId, { desk, settings, saleCurrency: opening_currency, parties }] = await Promise.all([
      nextId(shifts.type, tenant),
      nextId(POSTING, tenant, brought.length),
      readOpening(actor, input, brought.length > 0),
    ]);
    const { company_id, money: before } = desk;
    const opened = { id, creator_id: actor.id, opened_at: at, ...limitOf(settings, at) };
    const running = { ...opened, opening_balance: sumsIn(before), tallies: {}, debts: {} };
    const maker = makerOf(actor);
    const source = { source_type: 'shift', source_id: id, comment: input.opening_comment } as const;
    const own = { ...desk, money: { ...before, shift: running } };
    const issues = new ValidationIssues();
    const posted = postAtDesk(own, brought, { ...maker, ...source, at, firstId }, issues);
    issues.throwIfAny();

    const opening_amount = cashIn(input, opening_currency);
    const sums = { opening_currency, opening_amount, created_at: at, updated_at: at };
    const shift: StoredShift = { ...input, ...NOT_CLOSED, ...opened, ...maker, company_id, ...sums };
    const response = showShift({ ...shift, ...parties }, runningSummary(shift, posted.money.shift), context);
    await transact([
      documentInsertion(shifts, tenant, shift),
      putNew(currentKey(actor), { id }, badRequest('shift.already_open')),
      ...writesAt(tenant, posted),
      ...saveResponse(response),
    ]);
    return response;
  });
}

/** Builds the desk's incomes for the change brought along. */
function changeOf({ opening_balances }: OpeningInput): RequestedMovement[] {
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

/**
 * Reads the data needed to open a shift. 400 if its company works without shifts, and if the desk has one
 * open.
 */
async function readOpening(actor: Staff, input: OpeningInput, hasChange: boolean) {
  const desk = await readDesk(actor, input);
  const { company_id, money } = desk;
  // Without a shift the money in a sale desk could not be taken out.
  if (hasChange) requireTrading(actor, desk);
  const [settings, { saleCurrency }, parties] = await Promise.all([
    shiftSettingsOf(company_id),
    ratesOf(actor.tenant, company_id),
    readParties(actor.tenant, { creator_id: actor.id, company_id, cashbox_id: input.cashbox_id }),
  ]);
  if (!settings.is_enabled) throw badRequest('shift.not_enabled');
  if (money.shift) throw badRequest('shift.desk_taken');
  return { desk, settings, saleCurrency, parties };
}

/** Reads the desk of a shift. 422 on a desk or a warehouse that cannot have it. */
async function readDesk(actor: Staff, { cashbox_id, stock_id }: OpeningInput) {
  const [deskItem, money, stockItem] = await getItems([
    ...deskKeys(actor, cashbox_id),
    warehouses.keyOf(actor, stock_id),
  ]);
  const issues = new ValidationIssues();
  const desk = deskIn(actor, [deskItem, money]);
  const warehouse = warehouses.ifVisible(actor, stockItem);
  if (!desk) issues.add('cashbox_id', 'validation.not_found');
  else if (desk.type !== 'sale') issues.add('cashbox_id', 'sale.cashbox_not_for_sales');
  if (!warehouse) issues.add('stock_id', 'validation.not_found');
  else if (desk && warehouse.company_id !== desk.company_id) issues.add('stock_id', 'sale.other_company');
  if (!desk || issues.areAny) throw issues.refusal;
  return desk;
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
