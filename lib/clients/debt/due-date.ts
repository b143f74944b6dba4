import * as z from 'zod';
import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { getDocument, getDocumentToChange } from '#lib/records/documents.ts';
import type { Embed } from '#lib/records/query/embeds.ts';
import { parseStored } from '#lib/records/stored.ts';
import { putNew, type Write } from '#lib/table/change/write.ts';
import { padId, type Tenant } from '#lib/table/keys.ts';
import { readRangeInTurn } from '#lib/table/read/ranges.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { badRequest, invalid } from '#lib/values/api-error.ts';
import { optionalText } from '#lib/values/fields.ts';
import { DayField, dayOf, type Instant } from '#lib/values/time.ts';
import { debtWrites, dueAtEndOf } from './change.ts';
import { type Debt, DueDateChange, debtAt, debts, remainderOf, type StoredDebt } from './record.ts';

/*
 * Changes of a debt's due date are items of their own, numbered from 1, so that the debt's header stays
 * small. The header counts them, and each is put in the transaction that changes the header.
 */

type Change = z.input<typeof DueDateChange>;

/** Changes of a due date in a response, the newest first. */
const MAX_CHANGES = 50;

type ShownDebt = z.input<typeof Debt>;

/** Input of another due date. */
export const DueDateInput = z.object({ due_date: DayField, comment: optionalText(1000) });

type DueDateInput = z.output<typeof DueDateInput> & { readonly id: number };

/** Reads a debt with the requested embeds and the changes of its due date. */
export async function get(actor: Staff, id: number, requestedEmbeds: readonly Embed[], at: Instant) {
  const debt = await getDocument(debts, actor, id, requestedEmbeds);
  return { ...debtAt(debt, at), due_dates: await readChanges(actor.tenant, debt) };
}

/**
 * Changes the due date of a debt, and thereby its place in the order of payments. 400 if nothing of the debt
 * is left; 422 on a day in the past. Part 5, 5A.7, 2. Two or three round trips.
 */
export function changeDueDate(
  actor: Staff,
  { id, ...input }: DueDateInput,
  at: Instant,
  saveResponse: (debt: ShownDebt) => Write[],
): Promise<ShownDebt> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const before = await getDocumentToChange(debts, actor, id);
    if (remainderOf(before) === 0) throw badRequest('debt.nothing_left');
    if (input.due_date < dayOf(at)) throw invalid({ due_date: 'validation.in_past' });
    const earlier = await readChanges(tenant, before);
    const due_date = dueAtEndOf(input.due_date);
    const { comment } = input;
    const change = { previous: before.due_date, due_date, comment, ...makerOf(actor), created_at: at };
    const due_date_changes = (before.due_date_changes ?? 0) + 1;
    const after = { ...before, due_date, due_date_changes, updated_at: at };
    const response = { ...debtAt(after, at), due_dates: [change, ...earlier].slice(0, MAX_CHANGES) };
    await transact([
      ...debtWrites(tenant, before, after),
      putNew({ pk: changesOf(tenant, id), sk: padId(due_date_changes) }, { id: due_date_changes, ...change }),
      ...saveResponse(response),
    ]);
    return response;
  });
}

/** Reads the newest changes of a debt's due date. No round trip if there are none. */
async function readChanges(tenant: Tenant, { id, due_date_changes: to = 0 }: StoredDebt): Promise<Change[]> {
  if (to === 0) return [];
  const range = { from: Math.max(1, to - MAX_CHANGES + 1), to };
  const items = await readRangeInTurn(changesOf(tenant, id), range, { where: [] });
  return items.map((item) => parseStored(DueDateChange, item)).reverse();
}

/** Returns the partition key of the changes of a debt's due date. */
function changesOf(tenant: Tenant, debtId: number): string {
  return `debt-due-date#${tenant}#${debtId}`;
}
