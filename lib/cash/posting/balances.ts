import type * as z from 'zod';
import { type DeskMoney, moneyIn } from '#lib/cash/desk/money.ts';
import {
  type Currency,
  type KindSums,
  type MinorUnits,
  MONEY_KINDS,
  nameOf,
  type PaymentType,
} from '#lib/values/money.ts';
import type { Additional, DecimalSums } from './record.ts';

/** Returns a desk's money after a posting, and the part on hold. */
export function additionalOf(money: DeskMoney, moved: Currency): z.input<typeof Additional> {
  const balances_after = decimalsAfter(money, moved);
  return money.on_hold
    ? { balances_after, on_hold_after: { outcome: decimalsOf(money.on_hold) } }
    : { balances_after };
}

/** Returns a desk's money in currencies with a balance, and in that of the posting. */
export function decimalsAfter(money: DeskMoney, moved: Currency): z.input<typeof DecimalSums> {
  const after: z.input<typeof DecimalSums> = { cash: {}, card: {}, bank: {} };
  for (const kind of MONEY_KINDS) {
    const sum = moneyIn(money, kind);
    if (sum !== 0 || kind.currency === moved) after[kind.payment_type][kind.currency] = decimal(sum);
  }
  return after;
}

function decimalsOf(sums: KindSums) {
  const shown: Partial<Record<PaymentType, Partial<Record<Currency, string>>>> = {};
  for (const kind of MONEY_KINDS) {
    const sum = sums[nameOf(kind)];
    if (sum === undefined) continue;
    shown[kind.payment_type] = { ...shown[kind.payment_type], [kind.currency]: decimal(sum) };
  }
  return shown;
}

function decimal(amount: MinorUnits): string {
  return (amount / 100).toFixed(2);
}
