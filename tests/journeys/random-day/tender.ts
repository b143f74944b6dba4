import { type Sale, sales } from '#lib/trade/sale/record.ts';
import { readReturns } from '#lib/trade/sale/returns-of.ts';
import { Currency, convertDown, type MinorUnits, totalAmount } from '#lib/values/money.ts';
import { inCash } from '#tests/support/foreign.ts';
import { type Day, documentsOf, RATES } from './day.ts';
import { type How, isAtBranch } from './step.ts';

const MONEY = ['uzs', 'usd', 'uzs', 'eur', 'rub'] as const;

/** Chooses the money of a step, by a figure of `pick` that chooses nothing else. */
export function moneyOf({ pick }: How): Currency {
  return MONEY[Math.floor(pick / 60) % MONEY.length] ?? 'uzs';
}

/** Pays what is due in sums, in cash or by card. */
export function ownMoney({ pick }: How, amount: number): object[] {
  return amount > 0 ? [{ payment_type: pick % 4 ? 'cash' : 'card', amount }] : [];
}

/**
 * Pays what is due, maybe in other money: with change, of a coin or a note, and a third by card or none; or
 * as far as whole coins go, and the rest in sums.
 */
export function anyMoney(how: How, amount: number, hasChange: boolean): object[] {
  const currency = moneyOf(how);
  if (currency === 'uzs') return ownMoney(how, amount);
  const due = Math.round(amount * 100);
  const rate = Math.round(RATES[isAtBranch(how) ? 'branch' : 'main'][currency] * 100);
  if (hasChange) {
    const byCard = how.pieces % 3 ? 0 : Math.floor(due / 3);
    const note = how.pieces % 2 ? 100 : 1;
    const coins = Math.ceil(((due - byCard) * 100) / rate / note) * note;
    return [
      ...(byCard > 0 ? [{ payment_type: 'card', amount: byCard / 100 }] : []),
      inCash(coins / 100, currency),
    ];
  }
  const coins = Math.floor((due * 100) / rate);
  const rest = due - (convertDown(coins, rate, 100) ?? 0);
  return [...(coins > 0 ? [inCash(coins / 100, currency)] : []), ...ownMoney(how, rest / 100)];
}

/** Pays what is due back: in other cash as far as it came and is not back yet, the rest in sums. */
export async function moneyBack({ tenant }: Day, how: How, sale: Sale, amount: number): Promise<object[]> {
  const came = sale.transactions.find(({ currency }) => currency !== sale.currency);
  if (!came || how.pieces % 4 === 0) return amount > 0 ? [inCash(amount)] : [];
  const returns = await readReturns({ type: sales.type, tenant, id: sale.id });
  const gone = cashIn(came.currency, returns);
  const rates = [sale.rates[came.currency], sale.rates[sale.currency]] as const;
  const worth = (coins: number) => convertDown(coins, ...rates) ?? 0;
  const due = Math.round(amount * 100);
  const coins = Math.min(came.amount - gone, Math.floor((due * rates[1]) / rates[0]));
  const rest = due - (worth(gone + coins) - worth(gone));
  return [
    ...(coins > 0 ? [inCash(coins / 100, came.currency)] : []),
    ...(rest > 0 ? [inCash(rest / 100)] : []),
  ];
}

/**
 * Sums up the payments of each cheque: other cash that came and went back by currency, and what all of its
 * money, that of deposits included, counts for.
 */
export async function readTender({ tenant }: Day) {
  const all = await documentsOf(tenant, sales);
  return Promise.all(
    all.map(async ({ id, currency, transactions, change_amount = 0 }) => {
      const returns = await readReturns({ type: sales.type, tenant, id });
      const others = Currency.options.filter((each) => each !== currency);
      return {
        id,
        change: change_amount,
        others: others.map((each) => {
          return { currency: each, came: cashIn(each, [{ transactions }]), gone: cashIn(each, returns) };
        }),
        came: countedIn([{ transactions }]) - change_amount,
        gone: countedIn(returns),
      };
    }),
  );
}

interface Paid {
  readonly transactions: readonly {
    readonly payment_type: string;
    readonly currency: Currency;
    readonly amount: MinorUnits;
    readonly counted_amount: MinorUnits;
  }[];
}

function cashIn(currency: Currency, paid: readonly Paid[]): MinorUnits {
  return totalAmount(
    paid.flatMap(({ transactions }) => transactions).filter((each) => each.currency === currency),
  );
}

function countedIn(paid: readonly Paid[]): MinorUnits {
  return paid
    .flatMap(({ transactions }) => transactions)
    .filter(({ payment_type }) => ['cash', 'card', 'bank', 'deposit'].includes(payment_type))
    .reduce((sum, { counted_amount }) => sum + counted_amount, 0);
}
