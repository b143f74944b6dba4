import * as z from 'zod';
import { hasRight, makerOf, requireTrading, type Staff } from '#lib/auth/actor.ts';
import { deskIn, deskKeys, requireShift } from '#lib/cash/desk/read.ts';
import { postAtDesk, writesAt } from '#lib/cash/posting/make.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { balanceChangeWrites, canChangeDeposit, depositShortage } from '#lib/clients/balance-change.ts';
import * as clients from '#lib/clients/client.ts';
import { type ClientBalances, clientBalancesIn, clientBalancesKey } from '#lib/clients/client-balances.ts';
import { type DepositEntry, deposits, entryWrite, newEntry } from '#lib/clients/deposit/record.ts';
import type { Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import type { Tenant } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { nextId } from '#lib/table/sequences.ts';
import { retryOnContention, transact } from '#lib/table/transaction/transact.ts';
import { checkHold, findHold, holdDepositWrites } from '#lib/trade/hold/deposit.ts';
import { forbidden, notFound } from '#lib/values/api-error.ts';
import { Id, nonBlankText, optionalText, orNull } from '#lib/values/fields.ts';
import { amount, Currency, Direction, nonZeroAmount, PaymentType } from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';

/** Right to pay out of a deposit. */
const PAYOUT = 'company.client.client.deposit-payout';

/** Checks whether a caller may pay out of a deposit. */
export function mayPayOut(actor: Staff): boolean {
  return hasRight(actor, PAYOUT);
}

/** Input to take money into a client's deposit, or to pay it out. Part 5, 5A.6. */
export const ClientDepositInput = z.object({
  type: Direction,
  cashbox_id: Id,
  payment_type: PaymentType,
  currency: Currency,
  amount: amount(0.01),
  /** Hold that an income is for. */
  hold_id: orNull(Id),
  comment: optionalText(1000),
});

type ClientDepositInput = z.output<typeof ClientDepositInput> & { readonly client_id: number };

/** Input to correct a client's deposit without money. Part 5, 5A.6. */
export const DepositCorrectionInput = z.object({
  currency: Currency,
  amount: nonZeroAmount(),
  comment: nonBlankText(1000),
});

type DepositCorrectionInput = z.output<typeof DepositCorrectionInput> & { readonly client_id: number };

/** Change of a deposit. */
type DepositChange = Pick<DepositEntry, 'client_id' | 'currency' | 'amount'>;

/** Requires the right to pay out of a deposit: 403 without it. */
export function requirePayoutRight(actor: Staff): void {
  if (!mayPayOut(actor)) throw forbidden();
}

/**
 * Takes money of a client at a desk into the deposit, or pays it out. 404 without the client; 403 on a payout
 * without its right; 422 with all failing fields, on `amount` if deposit or desk have less; 400 without the
 * open shift that the desk needs. Part 5, 5A.6. Two round trips.
 */
export async function moveDeposit(
  actor: Staff,
  { client_id, cashbox_id, hold_id, comment, ...moved }: ClientDepositInput,
  at: Instant,
  saveResponse: (entry: DepositEntry) => Write[],
): Promise<DepositEntry> {
  const { tenant } = actor;
  const { type, currency } = moved;
  if (type === 'outcome') requirePayoutRight(actor);
  return retryOnContention(async () => {
    const issues = new ValidationIssues();
    const [id, firstId, hold, [clientItem, sumsItem, deskItem, money]] = await Promise.all([
      nextId(deposits.type, tenant),
      nextId(POSTING, tenant),
      findHold(actor, hold_id),
      getItems([
        clients.keyOf(actor, client_id),
        clientBalancesKey(tenant, client_id),
        ...deskKeys(actor, cashbox_id),
      ]),
    ]);
    const sums = requireDepositor(actor, clientItem, sumsItem);
    const desk = deskIn(actor, [deskItem, money]);
    if (!desk) issues.add('cashbox_id', 'validation.not_found');
    const change = { client_id, currency, amount: type === 'income' ? moved.amount : -moved.amount };
    checkDeposit(sums, change, issues);
    if (hold_id !== null) checkHold({ type, client_id, currency }, hold, issues);
    if (!desk) throw issues.refusal;
    if (type === 'income') requireTrading(actor, desk);
    const cause = { source_type: 'deposit', source_id: id, ...makerOf(actor), comment, at, firstId } as const;
    const posted = postAtDesk(desk, [{ ...moved, path: 'amount' }], cause, issues);
    issues.throwIfAny();
    await requireShift(actor, desk);
    const place = { company_id: desk.company_id, cashbox_id, transfer_id: firstId };
    const made = { id, type, ...change, ...place, hold_id, ...makerOf(actor), comment, created_at: at };
    const entry = newEntry(sums, made);
    await transact([
      ...depositWrites(tenant, sums, entry, at),
      ...writesAt(tenant, posted),
      ...(hold ? holdDepositWrites(tenant, hold, change.amount, at) : []),
      ...saveResponse(entry),
    ]);
    return entry;
  });
}

/**
 * Corrects a client's deposit; no money moves. 404 without the client, 422 on `amount` if the deposit is
 * less. Part 5, 5A.6. Two round trips.
 */
export async function correctDeposit(
  actor: Staff,
  { client_id, comment, ...change }: DepositCorrectionInput,
  at: Instant,
  saveResponse: (entry: DepositEntry) => Write[],
): Promise<DepositEntry> {
  const { tenant } = actor;
  return retryOnContention(async () => {
    const issues = new ValidationIssues();
    const [id, [clientItem, sumsItem]] = await Promise.all([
      nextId(deposits.type, tenant),
      getItems([clients.keyOf(actor, client_id), clientBalancesKey(tenant, client_id)]),
    ]);
    const sums = requireDepositor(actor, clientItem, sumsItem);
    checkDeposit(sums, { ...change, client_id }, issues);
    issues.throwIfAny();
    const place = { company_id: actor.companyId, cashbox_id: null };
    const made = { id, type: 'correction', client_id, ...change, ...place, comment } as const;
    const entry = newEntry(sums, { ...made, ...makerOf(actor), created_at: at });
    await transact([...depositWrites(tenant, sums, entry, at), ...saveResponse(entry)]);
    return entry;
  });
}

/** Returns the balances of a client. 404 without the client. */
function requireDepositor(actor: Staff, client: Item | undefined, item: Item | undefined): ClientBalances {
  const sums = clients.ifVisible(actor, client) && clientBalancesIn(item);
  if (!sums) throw notFound();
  return sums;
}

/** Validates that the deposit can change: an issue on `amount` if it would be negative or too large. */
function checkDeposit(sums: ClientBalances, change: DepositChange, issues: ValidationIssues): void {
  const changed = { ...change, deposit: change.amount };
  if (!canChangeDeposit(sums, changed)) issues.add('amount', depositShortage(sums, changed));
}

/** Builds the writes of an entry and of its client's deposit. */
export function depositWrites(
  tenant: Tenant,
  sums: ClientBalances,
  entry: DepositEntry,
  at: Instant,
): Write[] {
  const { client_id: id, currency, amount: deposit } = entry;
  const change = { spent: 0, debt: 0, deposit, currency };
  return [entryWrite(tenant, entry), ...balanceChangeWrites({ tenant, id }, sums, change, dayOf(at))];
}
