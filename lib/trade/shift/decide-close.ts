import { makerOf, type Staff } from '#lib/auth/actor.ts';
import { makeCollection, requireMainDesk } from '#lib/cash/collection/collect.ts';
import { collections, type StoredCollection } from '#lib/cash/collection/record.ts';
import type { MoneyDesk } from '#lib/cash/desk/money.ts';
import type { OpenShift } from '#lib/cash/desk/open-shift.ts';
import {
  type PostedMoney,
  type PostingContext,
  type PostingResult,
  postOrRefuse,
  writesAt,
} from '#lib/cash/posting/make.ts';
import { documentInsertion, documentReplacement } from '#lib/records/documents.ts';
import type { Stored } from '#lib/records/stored.ts';
import { remove, type Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import type { Tenant } from '#lib/table/keys.ts';
import type { Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { applyCashCount } from './cash-count.ts';
import { type ClosingInput, currentKey, shifts } from './record.ts';
import { type ShiftRow, type ShiftSummary, summaryOf } from './summary.ts';

type Shift = Stored<typeof shifts.schema>;

/** Valid cash count of a shift. */
export interface CashCount {
  readonly rows: readonly ShiftRow[];
  /** Movements that correct the desk to the count. */
  readonly differences: readonly PostedMoney[];
  /** Money that goes to the main desk. */
  readonly collected: StoredCollection['items'];
}

/** Data that the closing of a shift is decided by, as read, with its cash count. */
export interface ClosingFacts {
  /** Ids of the first posting, and of the collection. */
  readonly ids: { readonly posting: number; readonly collection: number };
  readonly before: Shift;
  /** With the shift open. */
  readonly desk: MoneyDesk;
  /** Item with the main desk of the company; undefined if it has none. */
  readonly main: Item | undefined;
  readonly count: CashCount;
}

/** A valid closing, with all that its writes need. */
interface ClosingPlan extends Pick<ClosingFacts, 'before'> {
  readonly after: Shift & { readonly summary: ShiftSummary };
  readonly posted: PostingResult;
  /** Undefined if no money goes to the main desk. */
  readonly collection: StoredCollection | undefined;
}

/** Decides a cash count. 422 with all failing fields. Part 3, "Cash shifts"; Contract 9.47. */
export function decideCount(
  { opening_currency }: Pick<Shift, 'opening_currency'>,
  running: OpenShift,
  input: ClosingInput,
): CashCount {
  const issues = new ValidationIssues();
  const rows = applyCashCount(running, opening_currency, input, issues);
  issues.throwIfAny();
  const collected = rows
    .filter(({ transferred }) => transferred > 0)
    .map(({ payment_type, currency, transferred: amount }) => ({ payment_type, currency, amount }));
  return { rows, differences: rows.flatMap((row) => differenceOf(row) ?? []), collected };
}

/** Returns the movement that corrects a desk to its count; undefined without a difference. */
function differenceOf({ payment_type, currency, difference }: ShiftRow): PostedMoney | undefined {
  if (difference === 0) return undefined;
  const type = difference > 0 ? 'income' : 'outcome';
  return { type, payment_type, currency, amount: Math.abs(difference) };
}

/**
 * Decides the closing of a counted shift: the differences are posted and the money for the main desk
 * collected while the shift is open, which thus includes both; then its sums are frozen. 400 if there is
 * money for the main desk, and the company has none. Contract 9.47; Contract 9.48; Contract 9.51.
 */
export function decideClosing(
  actor: Staff,
  { closing_action, closing_comment }: Pick<ClosingInput, 'closing_action' | 'closing_comment'>,
  facts: ClosingFacts,
  at: Instant,
): ClosingPlan {
  const { before, count } = facts;
  const occasion = { ...makerOf(actor), comment: closing_comment, at };
  const { collection, ...posted } = collectMoney(facts, postDifferences(facts, occasion), occasion);
  const { money } = posted;
  if (!money.shift) throw new Error('A shift was closed by its own count');
  const summary = summaryOf(money.shift, before.opening_currency, count.rows);
  const collection_id = collection?.id ?? null;
  const ending = { collection_id, closed_by_id: actor.id, closed_at: at, updated_at: at, summary };
  const after = { ...before, ...ending, closing_action, closing_comment, status: 'closed' } as const;
  return { before, after, posted: { ...posted, money: { ...money, shift: null } }, collection };
}

/** Caller, comment and time of a closing. */
type Occasion = Omit<PostingContext, 'source_type' | 'source_id' | 'firstId'>;

/** Posts the differences of the cash count. */
function postDifferences({ ids, before, desk, count }: ClosingFacts, occasion: Occasion): PostingResult {
  const source = { source_type: 'shift', source_id: before.id, firstId: ids.posting } as const;
  return postOrRefuse(desk, count.differences, { ...occasion, ...source });
}

/** Collects the money for the main desk, after the differences, if there is any. */
function collectMoney(
  { ids, before, main, count: { differences, collected } }: ClosingFacts,
  counted: PostingResult,
  occasion: Occasion,
): PostingResult & { readonly collection?: StoredCollection } {
  if (collected.length === 0) return counted;
  const head = { id: ids.collection, main_cashbox_id: requireMainDesk(main), cashier: before.creator_id };
  const context = { ...occasion, ...head, firstId: ids.posting + differences.length };
  const issues = new ValidationIssues();
  const made = makeCollection({ ...counted.desk, money: counted.money }, collected, context, issues);
  if (issues.areAny) throw new Error('More is collected than was counted');
  return { ...made, postings: [...counted.postings, ...made.postings] };
}

/** Builds all writes of a closing, apart from its saved response. */
export function shiftClosingWrites(
  tenant: Tenant,
  { before, after, posted, collection }: ClosingPlan,
): Write[] {
  return [
    ...documentReplacement(shifts, tenant, before, after),
    ...writesAt(tenant, posted),
    ...(collection ? [documentInsertion(collections, tenant, collection)] : []),
    remove(currentKey({ tenant, id: before.creator_id })),
  ];
}
