import { addToShift } from '#lib/cash/desk/movement.ts';
import { requireInTime } from '#lib/cash/desk/read.ts';
import { type Move, type Posted, postAt } from '#lib/cash/posting/make.ts';
import { earningOf } from '#lib/clients/bonuses.ts';
import { type Charge, canEarn, canOwe, hasBonus } from '#lib/clients/charge.ts';
import type { ClientSums } from '#lib/clients/client-sums.ts';
import { BALANCE_TOO_LARGE } from '#lib/records/links/counters.ts';
import { type InBody, onPrices, type PricedLine } from '#lib/trade/pricing/price.ts';
import { type Currency, MOST_AMOUNT, PaymentType, totalAmount } from '#lib/values/money.ts';
import type { Problems } from '#lib/values/problems.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';
import type { Basis, ChequeHead } from './basis.ts';
import type { SaleInput } from './input.ts';
import { amountPaidBy, type Payment } from './record.ts';

type Transaction = SaleInput['transactions'][number];

/** The payments for a cheque by what becomes of them: money in the desk, or a charge to the client. */
export interface Payments {
  /** Each with where in the body its amount came from. */
  readonly transactions: readonly InBody<Transaction>[];
  readonly income: readonly Move[];
  readonly charge: Charge;
}

/** What payments became: the postings that brought money, the debt, the bonuses that are spent. */
export interface Paid extends Posted {
  /** As the cheque keeps them, each with its posting or debt. */
  readonly transactions: readonly Payment[];
  readonly charge: Charge;
}

/** Sorts payments in a currency. */
export function paymentsIn(currency: Currency, transactions: readonly InBody<Transaction>[]): Payments {
  return {
    transactions,
    income: transactions.flatMap(({ payment_type, amount, path }) => {
      const money = PaymentType.safeParse(payment_type).data;
      return money ? [{ type: 'income', payment_type: money, currency, amount, path }] : [];
    }),
    charge: {
      spent: amountPaidBy('bonus', transactions),
      debt: amountPaidBy('debt', transactions),
      currency,
    },
  };
}

/** Takes the payments out of a sale's body. */
export function paymentsOf(input: Pick<SaleInput, 'transactions' | 'currency'>): Payments {
  const asked = input.transactions.map((each, index) => ({ ...each, path: `transactions.${index}.amount` }));
  return paymentsIn(input.currency, asked);
}

/** Checks that a debt and bonuses are somebody's, and that a debt has an end. Decisions, 5. */
export function checkDebtor(
  { client_id, due_date }: Pick<SaleInput, 'client_id' | 'due_date'>,
  { charge }: Payments,
  at: Instant,
  problems: Problems,
): void {
  if (charge.debt > 0 && client_id === null) problems.add('client_id', 'sale.debt_without_client');
  if (charge.spent > 0 && client_id === null) problems.add('client_id', 'sale.bonus_without_client');
  if (charge.debt > 0 && due_date === null) problems.add('due_date', 'sale.debt_without_due_date');
  if (due_date !== null && due_date < dayOf(at)) problems.add('due_date', 'validation.in_past');
}

/**
 * Checks that the payments make up the total of the lines; if something is wrong with these, it is not
 * judged. Decisions, 5.
 */
export function checkTotal(
  { transactions }: Payments,
  lines: readonly Pick<PricedLine, 'amount'>[],
  problems: Problems,
): void {
  const wrong = onPrices(problems).unless('products', 'bundles');
  const total = totalAmount(lines);
  const paid = totalAmount(transactions);
  if (total > MOST_AMOUNT) wrong.add('products', 'sale.amount_too_large');
  else if (paid !== total)
    wrong.add('transactions', { key: 'sale.payments_differ', with: { total: total / 100 } });
}

/**
 * Takes the payments: money into the desk, bonuses and a debt to the client. What is more than the desk may
 * hold, or than the client has or may owe, goes to `problems`. 400 if the desk's shift is overdue and refuses
 * sales. Decisions, 8; Decisions, 9 (49).
 */
export function takePayments(
  { desk, clientSums, bonusTerms }: Pick<Basis, 'desk' | 'clientSums' | 'bonusTerms'>,
  { transactions, income, charge: asked }: Payments,
  { ids, maker, comment, at }: ChequeHead,
  problems: Problems,
): Paid {
  const source = { source_type: 'sale', source_id: ids.sale } as const;
  const occasion = { ...maker, ...source, comment, at, firstId: ids.posting };
  const charge = { ...asked, earned: bonusTerms && earningOf(totalAmount(income), bonusTerms, at) };
  const debt = { currency: charge.currency, given: charge.debt };
  const before = addToShift(desk.money, { checks: 1, debt });
  requireInTime(before, at);
  const posted = postAt({ ...desk, money: before }, income, occasion, onPrices(problems));
  if (clientSums) checkCharge(clientSums, { transactions, income, charge }, at, problems);
  const postingOf = new Map<string, number>(
    posted.postings.map(({ id, payment_type }) => [payment_type, id]),
  );
  return {
    ...posted,
    charge,
    transactions: transactions.map(({ payment_type, amount }) => ({
      payment_type,
      amount,
      transfer_id: postingOf.get(payment_type) ?? null,
      debt_id: payment_type === 'debt' ? ids.debt : null,
    })),
  };
}

/** Checks that the client has the bonuses that are spent, and room for what is owed and earned. */
function checkCharge(
  clientSums: ClientSums,
  { transactions, income: [first], charge }: Payments,
  at: Instant,
  problems: Problems,
): void {
  const wrong = onPrices(problems);
  const today = dayOf(at);
  for (const { payment_type, path } of transactions) {
    if (payment_type === 'bonus' && !hasBonus(clientSums, charge, today)) {
      problems.add(path, 'sale.not_enough_bonuses');
    }
    if (payment_type === 'debt' && !canOwe(clientSums, charge)) wrong.add(path, BALANCE_TOO_LARGE);
  }
  if (first && !canEarn(clientSums, charge, today)) wrong.add(first.path, BALANCE_TOO_LARGE);
}
