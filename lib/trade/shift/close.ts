import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import { collections } from '#lib/cash/collection/record.ts';
import { mainDeskKey } from '#lib/cash/desk/main.ts';
import { DeskMoney, deskMoneyKey } from '#lib/cash/desk/money.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { getDocumentToChange } from '#lib/records/documents.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { Contention, retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { draftNumbers } from '#lib/trade/draft/record.ts';
import { badRequest } from '#lib/values/api-error.ts';
import {
  type CashCount,
  type ClosingFacts,
  decideClosing,
  decideCount,
  shiftClosingWrites,
} from './decide-close.ts';
import { CashboxShift, type ClosingInput, closableShifts } from './record.ts';
import { type AnswerContext, readParties, showShift } from './show.ts';

/** Shift that was just closed, with the numbers of its desk's remaining drafts. Contract 9.64. */
export const ClosedShift = CashboxShift.extend({ open_cheques: z.array(z.int()) });

export type ClosedShift = z.input<typeof ClosedShift>;

/**
 * Closes a shift with a cash count: posts the differences, freezes its sums, and sends the money that is not
 * kept to the main desk. Its sums are in the item of the desk's money, which the closing and every movement
 * there write under one version: a concurrent movement is part of the shift or rejected. Round trips and
 * writes do not depend on the number of sales. 404 for another user's, except for a director; 400 if it is
 * closed; 422 with all failing fields. Part 3, "Cash shifts"; Contract 9.46; Contract 9.51.
 */
export async function closeShift(
  actor: Staff,
  { id, ...input }: ClosingInput & { readonly id: number },
  context: AnswerContext,
  saveResponse: (shift: ClosedShift) => Write[],
): Promise<ClosedShift> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const { running, parties, open_cheques, ...read } = await readClosing(actor, id);
    const count = decideCount(read.before, running, input);
    const facts = { ...read, count, ids: await drawIds(tenant, count) };
    const plan = decideClosing(actor, input, facts, context.at);
    const shown = showShift({ ...plan.after, ...parties }, plan.after.summary, context);
    const response = { ...shown, open_cheques };
    await transact([...shiftClosingWrites(tenant, plan), ...saveResponse(response)]);
    return response;
  });
}

/** Reads a shift to be closed, with its desk's money, its company's main desk and the desk's drafts. */
async function readClosing(actor: Staff, id: number) {
  const { tenant } = actor;
  const before = await getDocumentToChange(closableShifts, actor, id);
  if (before.status === 'closed') throw badRequest('shift.not_open');
  const { cashbox_id, company_id } = before;
  const [[moneyItem, main], parties, open_cheques] = await Promise.all([
    getItems([deskMoneyKey(tenant, cashbox_id), mainDeskKey(tenant, company_id)]),
    readParties(tenant, before),
    draftNumbers(tenant, { id: cashbox_id, company_id }),
  ]);
  const money = DeskMoney.parse(moneyItem);
  const { shift: running } = money;
  if (running?.id !== id) throw new Contention();
  const desk = { id: cashbox_id, company_id, money };
  return { before, desk, running, main, parties, open_cheques };
}

/** Draws the ids of a count's postings and collection. One round trip. */
async function drawIds(tenant: Tenant, { differences, collected }: CashCount): Promise<ClosingFacts['ids']> {
  const [posting, collection] = await Promise.all([
    nextId(POSTING, tenant, differences.length + collected.length),
    nextId(collections.type, tenant, collected.length > 0 ? 1 : 0),
  ]);
  return { posting, collection };
}
