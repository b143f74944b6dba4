import { type Maker, makerOf, requireTrading, type Staff } from '#lib/access/actor.ts';

import { ratesOf } from '#lib/cash/company-rates.ts';
import { deskMoneyWrite, sumsIn } from '#lib/cash/desk/money.ts';
import { atDesk, deskIn, deskKeys } from '#lib/cash/desk/read.ts';
import { shiftSettingsOf } from '#lib/cash/desk/shift-rule.ts';
import { type Move, postEach, postingWrites } from '#lib/cash/posting/make.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { documentInsertion } from '#lib/records/documents.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import { putNew, type Write } from '#lib/table/change/write.ts';
import type { Home } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import type { Currency } from '#lib/values/money.ts';
import { Problems } from '#lib/values/problems.ts';
import { refuse } from '#lib/values/refusal.ts';
import { limitOf } from './hours.ts';
import type { OpeningInput } from './input.ts';
import { type CashboxShift, currentKey, type StoredShift, shifts } from './record.ts';
import { readParties, runningSummary, showShift, type Told } from './show.ts';

/**
 * Opens a shift at a sale desk: from now on, all that moves there belongs to it. Change that is brought along
 * is an income of the desk. 400 if its company works without shifts, and if the desk or the caller has one
 * open; 422 with all failing fields. Decisions, 9 (44); Decisions, 9 (45); Decisions, 9 (46).
 */
export async function openShift(
  actor: Staff,
  input: OpeningInput,
  told: Told,
  remember: (shift: CashboxShift) => Write[],
): Promise<CashboxShift> {
  const { home } = actor;
  const maker = makerOf(actor);
  const { opening_comment: comment } = input;
  const { at } = told;
  const brought = changeOf(input);
  return retryOnContention(async () => {
    const [ids, { desk, settings, saleCurrency, parties }] = await Promise.all([
      drawIds(home, brought.length),
      readOpening(actor, input, brought.length > 0),
    ]);
    const { company_id, money: before } = desk;
    const limit = limitOf(settings, at);
    const opened = { id: ids.shift, creator_id: actor.id, opened_at: at, ...limit };
    const running = { ...opened, opening_balance: sumsIn(before), tallies: {}, debts: {} };
    const source = { source_type: 'shift', source_id: ids.shift } as const;
    const occasion = { ...atDesk(desk), ...maker, ...source, comment, at, firstId: ids.posting };
    const problems = new Problems();
    const { money, postings } = postEach({ ...before, shift: running }, brought, occasion, problems);
    problems.throwIfAny();

    const times = { created_at: at, updated_at: at };
    const shift = { ...newShift(input, saleCurrency), ...opened, ...maker, company_id, ...times };
    const answer = showShift({ ...shift, ...parties }, runningSummary(shift, money.shift), told);
    await transact([
      documentInsertion(shifts, home, shift),
      putNew(currentKey(actor), { id: ids.shift }, refuse('shift.already_open')),
      deskMoneyWrite(home, desk, before, money),
      ...postingWrites(home, postings),
      ...remember(answer),
    ]);
    return answer;
  });
}

/** Lists the incomes of a desk by the change that is brought along. */
function changeOf({ opening_balances }: OpeningInput): Move[] {
  return opening_balances.flatMap(({ amount, ...kind }, index) => {
    const path = `opening_balances.${index}.amount`;
    return amount === 0 ? [] : [{ type: 'income', ...kind, amount, path }];
  });
}

/** Draws the ids of a shift and of the postings that bring its change. */
async function drawIds(home: Home, postings: number) {
  const [shift, posting] = await Promise.all([nextId(shifts.type, home), nextId(POSTING, home, postings)]);
  return { shift, posting };
}

/** Reads what a shift rests on. 400 if its company works without shifts, and if the desk has one open. */
async function readOpening(actor: Staff, input: OpeningInput, hasChange: boolean) {
  const desk = await readDesk(actor, input);
  const { company_id, money } = desk;
  // Without a shift the money in a sale desk could not be taken out.
  if (hasChange) requireTrading(actor, desk);
  const [settings, { saleCurrency }, parties] = await Promise.all([
    shiftSettingsOf(company_id),
    ratesOf(actor.home, company_id),
    readParties({ creator_id: actor.id, company_id }),
  ]);
  if (!settings.is_enabled) throw refuse('shift.not_enabled');
  if (money.shift) throw refuse('shift.desk_taken');
  return { desk, settings, saleCurrency, parties };
}

/** Reads the desk of a shift. 422 on a desk or a warehouse that can't have it. */
async function readDesk(actor: Staff, { cashbox_id, stock_id }: OpeningInput) {
  const [deskItem, money, stockItem] = await getItems([
    ...deskKeys(actor, cashbox_id),
    warehouses.keyOf(actor, stock_id),
  ]);
  const problems = new Problems();
  const desk = deskIn(actor, [deskItem, money]);
  const warehouse = warehouses.ifVisible(actor, stockItem);
  if (!desk) problems.add('cashbox_id', 'validation.not_found');
  else if (desk.type !== 'sale') problems.add('cashbox_id', 'sale.cashbox_not_for_sales');
  if (!warehouse) problems.add('stock_id', 'validation.not_found');
  else if (desk && warehouse.company_id !== desk.company_id) problems.add('stock_id', 'sale.other_company');
  if (!desk || problems.areAny) throw problems.refusal;
  return desk;
}

/** Makes the part of a new shift that its body tells. Decisions, 9 (62). */
function newShift(
  { cashbox_id, stock_id, opening_balances, opening_comment }: OpeningInput,
  opening_currency: Currency,
): Omit<StoredShift, 'id' | keyof Maker | 'company_id' | 'created_at' | 'updated_at' | keyof Opened> {
  const isCash = (each: OpeningInput['opening_balances'][number]) =>
    each.payment_type === 'cash' && each.currency === opening_currency;
  return {
    cashbox_id,
    stock_id,
    opening_balances,
    opening_comment,
    opening_currency,
    opening_amount: opening_balances.find(isCash)?.amount ?? 0,
    status: 'open',
    summary: null,
    closed_by_id: null,
    collection_id: null,
    closing_action: null,
    closing_comment: null,
    closed_at: null,
  };
}

type Opened = Pick<StoredShift, 'opened_at' | 'closes_at' | 'overdue_action'>;
