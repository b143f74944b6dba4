import * as z from 'zod';
import { makerOf, type Staff } from '#lib/access/actor.ts';

import { mainDeskKey } from '#lib/cash/desk/main.ts';
import { DeskMoney, deskMoneyKey, deskMoneyWrite } from '#lib/cash/desk/money.ts';
import { documentReplacement, getDocumentToChange } from '#lib/records/documents.ts';
import { remove, type Write } from '#lib/table/change/write.ts';
import { getItems } from '#lib/table/read/get.ts';
import { Contention, retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { draftNumbers } from '#lib/trade/draft/record.ts';
import { Problems } from '#lib/values/problems.ts';
import { refuse } from '#lib/values/refusal.ts';
import { countRows } from './count.ts';
import type { ClosingInput } from './input.ts';
import { postCount } from './post-count.ts';
import { CashboxShift, currentKey, shifts } from './record.ts';
import { readParties, showShift, type Told } from './show.ts';
import { summaryOf } from './summary.ts';

/** A shift that has just been closed, with the drafts that are left at its desk. Decisions, 9 (64). */
export const ClosedShift = CashboxShift.extend({ open_cheques: z.array(z.int()) });

export type ClosedShift = z.input<typeof ClosedShift>;

/**
 * Closes a shift by a count: differences are posted, its sums are frozen, and what is not kept goes to the
 * main desk. Its sums are in the item of the desk's money, which this and all that moves money there write
 * under one version: what races a close is in the shift or is refused. Round trips and writes are the same
 * after any number of cheques. 404 for another's, unless a director asks; 400 if it is closed; 422 with all
 * failing fields. Part 3, "Cash shifts"; Decisions, 9 (46); Decisions, 9 (51).
 */
export async function closeShift(
  actor: Staff,
  { id, ...input }: ClosingInput & { readonly id: number },
  told: Told,
  remember: (shift: ClosedShift) => Write[],
): Promise<ClosedShift> {
  const { home } = actor;
  const { at } = told;
  return retryOnContention(async () => {
    const { before, desk, money, running, main, parties, open_cheques } = await readClosing(actor, id);
    const { cashbox_id, company_id, opening_currency } = before;
    const problems = new Problems();
    const rows = countRows(running, opening_currency, input, problems);
    problems.throwIfAny();

    const source = { source_id: id, comment: input.closing_comment };
    const occasion = { company_id, cashbox_id, ...makerOf(actor), ...source, at };
    const posted = await postCount({ home, money, main }, rows, { ...occasion, cashier: before.creator_id });
    if (!posted.money.shift) throw new Error('A shift was closed by its own count');

    const summary = summaryOf(posted.money.shift, opening_currency, rows);
    const { closing_action, closing_comment } = input;
    const { collection_id } = posted;
    const ending = { collection_id, closed_by_id: actor.id, closed_at: at, updated_at: at, summary };
    const after = { ...before, ...ending, closing_action, closing_comment, status: 'closed' } as const;
    const answer = { ...showShift({ ...after, ...parties }, summary, told), open_cheques };
    await transact([
      ...documentReplacement(shifts, home, before, after),
      deskMoneyWrite(home, desk, money, { ...posted.money, shift: null }),
      ...posted.writes,
      remove(currentKey({ home, id: before.creator_id })),
      ...remember(answer),
    ]);
    return answer;
  });
}

/** Reads a shift to be closed, with its desk's money, its company's main desk and the drafts at its desk. */
async function readClosing(actor: Staff, id: number) {
  const { home } = actor;
  const before = await getDocumentToChange(shifts, actor, id);
  if (before.status === 'closed') throw refuse('shift.not_open');
  const { cashbox_id, company_id } = before;
  const desk = { id: cashbox_id, company_id };
  const [[moneyItem, main], parties, open_cheques] = await Promise.all([
    getItems([deskMoneyKey(home, cashbox_id), mainDeskKey(home, company_id)]),
    readParties(before),
    draftNumbers(home, desk),
  ]);
  const money = DeskMoney.parse(moneyItem);
  const { shift: running } = money;
  if (running?.id !== id) throw new Contention();
  return { before, desk, money, running, main, parties, open_cheques };
}
