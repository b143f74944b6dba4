import * as z from 'zod';
import type { Staff } from '#lib/access/actor.ts';
import { type DeskMoney, dayOfDesk, sumsIn } from '#lib/cash/desk-money.ts';
import { type KindSums, MONEY_KINDS, type MoneyKind, nameOf } from '#lib/cash/money-kind.ts';
import { equals } from '#lib/table/expression.ts';
import { Id } from '#lib/values/fields.ts';
import { type Cents, Currency, Money, PaymentType } from '#lib/values/money.ts';
import type { Instant } from '#lib/values/time.ts';
import { readSaleDesks } from './sale-desks.ts';

/** The query string of the totals of today. */
export const StatsQuery = z.strictObject({
  filter: z.strictObject({ company_id: Id.optional(), cashbox_id: Id.optional() }).default({}),
});

const Block = z.object({ uzs: Money, usd: Money });

const Blocks = z.object({ cash: Block, non_cash: Block });

/** The totals of today over sale desks. Part 3, "Cash operations". */
export const OperationStats = z.object({
  income: Blocks,
  outcome: Blocks,
  opening: z.object({ cash: Block }),
  balance: Blocks,
  balances: z.array(z.object({ payment_type: PaymentType, currency: Currency, amount: Money })),
});

/**
 * Adds up what moved today at the sale desks open to the caller, what they began with and what they have. It
 * reads an item a desk, however much has moved. Decisions, 9 (38).
 */
export async function statsOfToday(
  actor: Staff,
  { filter: { company_id, cashbox_id } }: z.output<typeof StatsQuery>,
  at: Instant,
): Promise<z.input<typeof OperationStats>> {
  const desks = await readSaleDesks(actor, [
    ...(company_id === undefined ? [] : [equals('company_id', company_id)]),
    ...(cashbox_id === undefined ? [] : [equals('id', cashbox_id)]),
  ]);
  const days = desks.map(({ money }) => dayOfDesk(money, at));
  const balance = desks.map(({ money }) => sumsIn(money));
  return {
    income: blocksOf(days.map(({ income }) => income)),
    outcome: blocksOf(days.map(({ outcome }) => outcome)),
    opening: { cash: blocksOf(desks.map(({ money }) => beginningOf(money, at))).cash },
    balance: blocksOf(balance),
    balances: MONEY_KINDS.map((kind) => ({ ...kind, amount: sumOf(balance, [kind]) })),
  };
}

/** What a desk began with: its open shift, or if none is open the day. */
function beginningOf(money: DeskMoney, at: Instant): KindSums {
  return money.shift ? money.shift.opening_balance : dayOfDesk(money, at).opening;
}

function blocksOf(sums: readonly KindSums[]): z.input<typeof Blocks> {
  const block = (isWanted: (type: PaymentType) => boolean) => {
    const of = (currency: Currency) => {
      return sumOf(
        sums,
        MONEY_KINDS.filter((kind) => kind.currency === currency && isWanted(kind.payment_type)),
      );
    };
    return { uzs: of('uzs'), usd: of('usd') };
  };
  return { cash: block((type) => type === 'cash'), non_cash: block((type) => type !== 'cash') };
}

function sumOf(sums: readonly KindSums[], kinds: readonly MoneyKind[]): Cents {
  return sums.reduce((sum, each) => {
    return kinds.reduce((total, kind) => total + (each[nameOf(kind)] ?? 0), sum);
  }, 0);
}
