import * as z from 'zod';
import { withinReachOf } from '#lib/auth/account-manager.ts';
import type { Staff } from '#lib/auth/actor.ts';
import { desks } from '#lib/cash/desk/desk.ts';
import { PostingCancellation, postingCancellations } from '#lib/cash/posting/cancellation.ts';
import { deskPostings, POSTING, Posting } from '#lib/cash/posting/record.ts';
import { reasons } from '#lib/cash/reason.ts';
import { sourceOf } from '#lib/records/stored.ts';
import { recordsAt } from '#lib/reports/frame/names.ts';
import { companiesFor, pick, placesFor } from '#lib/reports/frame/reach.ts';
import { readRowsOf } from '#lib/reports/frame/rows.ts';
import { type Expression, equals, oneOf, within } from '#lib/table/expression.ts';
import { partition } from '#lib/table/keys.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { invalid } from '#lib/values/api-error.ts';
import { type Direction, oppositeOf } from '#lib/values/money.ts';
import { endOfDay, startOfDay } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { ExpensesQuery } from './query.ts';

/** Most movements of a report. Part 5, 5A.10, 3. */
const MAX_MOVEMENTS = 100_000;

const FILTER = 'filter.date';

/** Fields of money that moved, and that moved back. */
const MOVED = {
  company_id: true,
  cashbox_id: true,
  type: true,
  currency: true,
  amount: true,
  created_at: true,
} as const;

/** Fields of a manual income or expense. */
const OfReason = Posting.pick({ ...MOVED, source_id: true, reversal_of_id: true });

const Cancellation = PostingCancellation.pick({ ...MOVED, posting_id: true });

const Canceled = z.object({ source_type: z.string(), source_id: z.int() });

/** A movement by a reason. */
export interface ReasonMovement extends Pick<z.input<typeof Cancellation>, keyof typeof MOVED> {
  readonly reason_id: number;
  /** Type of its reason: a return or cancel moves money the other way. */
  readonly kind: Direction;
}

/**
 * Reads the manual incomes and expenses of a period within the caller's reach, and those moved back in it.
 * 422 on a filter out of reach, and on the period if there are too many.
 */
export async function readMovements(
  actor: Staff,
  filter: ExpensesQuery['filter'],
): Promise<ReasonMovement[]> {
  const where = await conditionsOf(actor, filter);
  const [made, back] = await Promise.all([
    readMade(actor, where, filter.reason_id),
    readBack(actor, where, filter.reason_id),
  ]);
  if (made.length + back.length > MAX_MOVEMENTS) {
    throw invalid({ [FILTER]: { key: 'report.too_many_rows', with: { max: MAX_MOVEMENTS } } });
  }
  return [...made, ...back].filter(({ kind }) => kind === (filter.type ?? kind));
}

/** Resolves the conditions common to postings and cancellations. One round trip, none without filters. */
async function conditionsOf(actor: Staff, filter: ExpensesQuery['filter']): Promise<Expression[]> {
  const { date, reason_id, cashbox_id, company_id } = filter;
  const [open, places, items] = await Promise.all([
    company_id ? companiesFor(actor) : [],
    cashbox_id ? placesFor(actor, desks.type, actor.cashDesks) : [],
    reason_id ? reasonsOf(actor) : [],
  ]);
  const issues = new ValidationIssues();
  pick(open, company_id, 'filter.company_id', issues);
  pick(places, cashbox_id, 'filter.cashbox_id', issues);
  pick(items, reason_id, 'filter.reason_id', issues);
  issues.throwIfAny();
  return [
    within('created_at', startOfDay(date.from), endOfDay(date.to)),
    ...withinReachOf(actor, actor.cashDesks, 'cashbox_id'),
    ...(cashbox_id ? [oneOf('cashbox_id', cashbox_id)] : []),
    ...(company_id ? [oneOf('company_id', company_id)] : []),
  ];
}

const Item = z.object({ id: z.int(), name: z.string() });

async function reasonsOf({ tenant }: Staff) {
  return (await wholePartition(partition(reasons.type, tenant))).map((item) => Item.parse(item));
}

/** Reads postings; a reversal is one of its own, the other way. */
async function readMade(
  { tenant }: Staff,
  conditions: readonly Expression[],
  reasonIds: readonly number[] | undefined,
): Promise<ReasonMovement[]> {
  const ofReasons = reasonIds ? [oneOf('manual_source_id', reasonIds)] : [];
  const where = [equals('source_type', 'reason'), ...ofReasons, ...conditions];
  const reading = { fields: OfReason, where, filter: FILTER };
  const found = await readRowsOf(sourceOf(deskPostings, tenant), reading, MAX_MOVEMENTS);
  return found.map(({ source_id, reversal_of_id = null, ...moved }) => {
    const kind = reversal_of_id === null ? moved.type : oppositeOf(moved);
    return { ...moved, kind, reason_id: source_id };
  });
}

/** Reads cancellations, which have no posting of their own. */
async function readBack(
  { tenant }: Staff,
  where: readonly Expression[],
  reasonIds: readonly number[] | undefined,
): Promise<ReasonMovement[]> {
  const source = sourceOf(postingCancellations, tenant);
  const found = await readRowsOf(source, { fields: Cancellation, where, filter: FILTER }, MAX_MOVEMENTS);
  const postings = await recordsAt(
    { type: POSTING, tenant },
    found.map(({ posting_id }) => posting_id),
    Object.keys(Canceled.shape),
  );
  return found.flatMap(({ posting_id, ...moved }) => {
    const { source_type, source_id } = Canceled.parse(postings.get(posting_id));
    const isAsked = source_type === 'reason' && (reasonIds?.includes(source_id) ?? true);
    return isAsked ? [{ ...moved, kind: oppositeOf(moved), reason_id: source_id }] : [];
  });
}
