import type { Staff } from '#lib/auth/actor.ts';
import { ratesOf } from '#lib/cash/company-rates.ts';
import { deskIn, deskKeys, shiftSettingsOf } from '#lib/cash/desk/read.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import * as warehouses from '#lib/stock/warehouse.ts';
import type { Write } from '#lib/table/change/write.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { forbidden } from '#lib/values/api-error.ts';
import { changeOf, decideOpening, requireShiftPlace, shiftOpeningWrites } from './decide-open.ts';
import { type CashboxShift, type OpeningInput, shifts } from './record.ts';
import { type AnswerContext, readParties, runningSummary, showShift } from './show.ts';

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
  return retryOnContention(async () => {
    const { parties, ...facts } = await readOpening(actor, input);
    const plan = decideOpening(actor, input, facts, context.at);
    const summary = runningSummary(plan.shift, plan.posted.money.shift);
    const response = showShift({ ...plan.shift, ...parties }, summary, context);
    await transact([...shiftOpeningWrites(actor, plan), ...saveResponse(response)]);
    return response;
  });
}

/**
 * Reads the data needed to open a shift and to show it, and draws its ids. 422 and 400 as in
 * `requireShiftPlace`. Two round trips.
 */
async function readOpening(actor: Staff, input: OpeningInput) {
  const [shift, posting, place] = await Promise.all([
    nextId(shifts.type, actor.tenant),
    nextId(POSTING, actor.tenant, changeOf(input).length),
    readPlace(actor, input),
  ]);
  return { ids: { shift, posting }, ...place };
}

/** Reads the desk of a shift, then its company's rules and the parties of the response. */
async function readPlace(actor: Staff, input: OpeningInput) {
  const { cashbox_id, stock_id } = input;
  const [deskItem, money, stockItem] = await getItems([
    ...deskKeys(actor, cashbox_id),
    warehouses.keyOf(actor, stock_id),
  ]);
  const desk = requireShiftPlace(actor, input, {
    desk: deskIn(actor, [deskItem, money]),
    warehouse: warehouses.ifVisible(actor, stockItem),
  });
  const { company_id } = desk;
  const [settings, { saleCurrency }, parties] = await Promise.all([
    shiftSettingsOf(company_id),
    ratesOf(actor.tenant, company_id),
    readParties(actor.tenant, { creator_id: actor.id, company_id, cashbox_id }),
  ]);
  return { desk, settings, saleCurrency, parties };
}
