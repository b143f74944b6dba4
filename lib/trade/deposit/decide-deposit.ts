import { hasRight, makerOf, requireRight, requireTrading, type Staff } from '#lib/auth/actor.ts';
import type { DeskState } from '#lib/cash/desk/read.ts';
import { type PostingResult, postAtDesk, writesAt } from '#lib/cash/posting/make.ts';
import { balanceChangeWrites, canChangeDeposit, depositShortage } from '#lib/clients/balance-change.ts';
import type { ClientBalances } from '#lib/clients/client-balances.ts';
import { type DepositEntry, entryWrite, newEntry } from '#lib/clients/deposit/record.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { checkHold, holdDepositWrites } from '#lib/trade/hold/deposit.ts';
import type { OpenHold } from '#lib/trade/hold/record.ts';
import { notFound } from '#lib/values/api-error.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import type { ClientDepositInput, DepositCorrectionInput } from './input.ts';

/** Right to pay out of a deposit. */
const PAYOUT = 'company.client.client.deposit-payout';

/** Checks whether a caller may pay out of a deposit. */
export function mayPayOut(actor: Staff): boolean {
  return hasRight(actor, PAYOUT);
}

/** Requires the right to pay out of a deposit: 403 without it. */
export function requirePayoutRight(actor: Staff): void {
  requireRight(actor, PAYOUT);
}

/** Data that the correction of a deposit is decided by, as read. */
export interface DepositorFacts {
  readonly entryId: number;
  /** Balances of the client; undefined without the client. */
  readonly sums: ClientBalances | undefined;
}

/** Data that a movement of a deposit's money is decided by, as read. */
export interface DepositFacts extends DepositorFacts {
  readonly postingId: number;
  /** Undefined if it does not exist, or is not open to the caller. */
  readonly desk: DeskState | undefined;
  /** Hold that an income names; undefined if it does not exist, and without one. */
  readonly hold: OpenHold | undefined;
}

/** A valid entry of a deposit, with the client's balances before it. */
interface EntryPlan {
  readonly sums: ClientBalances;
  readonly entry: DepositEntry;
}

/** A valid movement of a deposit's money, with all that its writes need. */
interface DepositPlan extends EntryPlan, Pick<DepositFacts, 'hold'> {
  readonly posted: PostingResult<DeskState>;
}

/**
 * Decides a movement of money into a client's deposit, or out of it. 404 without the client; 422 with all
 * failing fields, on `amount` if deposit or desk have less; 400 for an income at a deleted company's desk.
 * Part 5, 5A.6.
 */
export function decideDeposit(
  actor: Staff,
  { client_id, cashbox_id, hold_id, comment, ...moved }: ClientDepositInput,
  { entryId: id, postingId, sums, desk, hold }: DepositFacts,
  at: Instant,
): DepositPlan {
  if (!sums) throw notFound();
  const { type, currency } = moved;
  const issues = new ValidationIssues();
  if (!desk) issues.add('cashbox_id', 'validation.not_found');
  const change = { client_id, currency, amount: type === 'income' ? moved.amount : -moved.amount };
  checkDeposit(sums, change, issues);
  if (hold_id !== null) checkHold({ type, client_id, currency }, hold, issues);
  if (!desk) throw issues.refusal;
  if (type === 'income') requireTrading(actor, desk);
  const source = { source_type: 'deposit', source_id: id, ...makerOf(actor), comment } as const;
  const occasion = { ...source, at, firstId: postingId };
  const posted = postAtDesk(desk, [{ ...moved, path: 'amount' }], occasion, issues);
  issues.throwIfAny();
  const place = { company_id: desk.company_id, cashbox_id, transfer_id: postingId };
  const made = { id, type, ...change, ...place, hold_id, ...makerOf(actor), comment, created_at: at };
  return { sums, entry: newEntry(sums, made), posted, hold };
}

/**
 * Decides the correction of a client's deposit. 404 without the client; 422 on `amount` if the deposit is
 * less. Part 5, 5A.6.
 */
export function decideDepositCorrection(
  actor: Staff,
  { client_id, comment, ...change }: DepositCorrectionInput,
  { entryId: id, sums }: DepositorFacts,
  at: Instant,
): EntryPlan {
  if (!sums) throw notFound();
  const issues = new ValidationIssues();
  checkDeposit(sums, change, issues);
  issues.throwIfAny();
  const place = { company_id: actor.companyId, cashbox_id: null };
  const made = { id, type: 'correction', client_id, ...change, ...place, comment } as const;
  return { sums, entry: newEntry(sums, { ...made, ...makerOf(actor), created_at: at }) };
}

/** Validates that the deposit can change: an issue on `amount` if it would be negative or too large. */
function checkDeposit(
  sums: ClientBalances,
  { amount: deposit, currency }: Pick<DepositEntry, 'amount' | 'currency'>,
  issues: ValidationIssues,
): void {
  const change = { deposit, currency };
  if (!canChangeDeposit(sums, change)) issues.add('amount', depositShortage(sums, change));
}

/** Builds all writes of a movement of a deposit's money, apart from its saved response. */
export function depositMoveWrites(tenant: Tenant, { posted, hold, ...plan }: DepositPlan): Write[] {
  const { amount, created_at } = plan.entry;
  return [
    ...depositWrites(tenant, plan),
    ...writesAt(tenant, posted),
    ...(hold ? holdDepositWrites(tenant, hold, amount, created_at) : []),
  ];
}

/** Builds the writes of an entry and of its client's deposit. */
export function depositWrites(tenant: Tenant, { sums, entry }: EntryPlan): Write[] {
  const { client_id: id, currency, amount: deposit, created_at } = entry;
  const change = { spent: 0, debt: 0, deposit, currency };
  return [entryWrite(tenant, entry), ...balanceChangeWrites({ tenant, id }, sums, change, dayOf(created_at))];
}
