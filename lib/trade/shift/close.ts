import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { makeCollection, requireMainDesk } from '#lib/cash/collection/collect.ts';
import { collections, type StoredCollection } from '#lib/cash/collection/record.ts';
import { mainDeskKey } from '#lib/cash/desk/main.ts';
import { DeskMoney, deskMoneyKey, type MoneyDesk } from '#lib/cash/desk/money.ts';
import {
  type PostedMoney,
  type PostingContext,
  type PostingResult,
  postOrRefuse,
  writesAt,
} from '#lib/cash/posting/make.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { documentInsertion, documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { remove, type Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { Contention, retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { draftNumbers } from '#lib/trade/draft/record.ts';
import { badRequest } from '#lib/values/api-error.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { applyCashCount } from './cash-count.ts';
import { CashboxShift, type ClosingInput, closableShifts, currentKey, shifts } from './record.ts';
import { type AnswerContext, readParties, showShift } from './show.ts';
import { type ShiftRow, summaryOf } from './summary.ts';

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
  const { at } = context;
  return retryOnContention(async () => {
    const { before, desk, running, main, parties, open_cheques } = await readClosing(actor, id);
    const { opening_currency, creator_id } = before;
    const issues = new ValidationIssues();
    const rows = applyCashCount(running, opening_currency, input, issues);
    issues.throwIfAny();

    const { closing_action, closing_comment } = input;
    const occasion = { source_id: id, ...makerOf(actor), comment: closing_comment, at };
    const posted = await postCount(tenant, { ...desk, main }, rows, { ...occasion, cashier: creator_id });
    const { money, collection } = posted;
    if (!money.shift) throw new Error('A shift was closed by its own count');

    const summary = summaryOf(money.shift, opening_currency, rows);
    const collection_id = collection?.id ?? null;
    const ending = { collection_id, closed_by_id: actor.id, closed_at: at, updated_at: at, summary };
    const after = { ...before, ...ending, closing_action, closing_comment, status: 'closed' } as const;
    const response = { ...showShift({ ...after, ...parties }, summary, context), open_cheques };
    await transact([
      ...documentReplacement(shifts, tenant, before, after),
      ...writesAt(tenant, { ...posted, money: { ...money, shift: null } }),
      ...(collection ? [documentInsertion(collections, tenant, collection)] : []),
      remove(currentKey({ tenant, id: creator_id })),
      ...saveResponse(response),
    ]);
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

/**
 * Posts the differences of the cash count, and collects the money for the main desk; the shift stays open in
 * the desk's money, to include all its postings. 400 if there is money for the main desk, and the company has
 * none. Contract 9.47; Contract 9.48.
 */
async function postCount(
  tenant: Tenant,
  { main, ...desk }: MoneyDesk & { readonly main: Item | undefined },
  rows: readonly ShiftRow[],
  { cashier, ...occasion }: Omit<PostingContext, 'source_type' | 'firstId'> & { readonly cashier: number },
): Promise<PostingResult & { readonly collection?: StoredCollection }> {
  const moves = rows.flatMap((row) => differenceOf(row) ?? []);
  const items = rows
    .filter(({ transferred }) => transferred > 0)
    .map(({ payment_type, currency, transferred: amount }) => ({ payment_type, currency, amount }));
  const [firstId, id] = await Promise.all([
    nextId(POSTING, tenant, moves.length + items.length),
    nextId(collections.type, tenant, items.length > 0 ? 1 : 0),
  ]);
  const counted = postOrRefuse(desk, moves, { ...occasion, source_type: 'shift', firstId });
  if (items.length === 0) return counted;

  const head = { ...occasion, id, main_cashbox_id: requireMainDesk(main), cashier };
  const issues = new ValidationIssues();
  const rest = { ...desk, money: counted.money };
  const made = makeCollection(rest, items, { ...head, firstId: firstId + moves.length }, issues);
  if (issues.areAny) throw new Error('More is collected than was counted');
  return { ...made, postings: [...counted.postings, ...made.postings] };
}

/** Returns the movement that corrects a desk to its count; undefined without a difference. */
function differenceOf({ payment_type, currency, difference }: ShiftRow): PostedMoney | undefined {
  if (difference === 0) return undefined;
  const type = difference > 0 ? 'income' : 'outcome';
  return { type, payment_type, currency, amount: Math.abs(difference) };
}
