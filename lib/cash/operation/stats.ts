import * as z from 'zod';
import type { Staff } from '#lib/auth/actor.ts';
import type { DeskDay } from '#lib/cash/desk/day.ts';
import * as desks from '#lib/cash/desk/desk.ts';
import { DeskMoney, deskMoneyKey, sumsIn } from '#lib/cash/desk/money.ts';
import { dayOfDesk } from '#lib/cash/desk/movement.ts';
import { tallyOf } from '#lib/cash/desk/open-shift.ts';
import { hasShifts } from '#lib/cash/desk/read.ts';
import { keyOfCompany } from '#lib/people/company/known.ts';
import { wholeList } from '#lib/records/query/list-query.ts';
import { type Expression, equals } from '#lib/table/expression.ts';
import { getItems } from '#lib/table/read/get.ts';
import { Id } from '#lib/values/fields.ts';
import {
  addToKind,
  Currency,
  type KindSums,
  LargeAmount,
  MONEY_KINDS,
  type MoneyKind,
  nameOf,
  PaymentType,
} from '#lib/values/money.ts';
import { dayOf, type Instant } from '#lib/values/time.ts';

/** Query string of today's totals. */
export const StatsQuery = z.strictObject({
  filter: z.strictObject({ company_id: Id.optional(), cashbox_id: Id.optional() }).default({}),
});

const Block = z.object({ uzs: LargeAmount, usd: LargeAmount });

const Blocks = z.object({ cash: Block, non_cash: Block });

/** Today's totals of sale desks. Part 3, "Cash operations". */
export const OperationStats = z.object({
  income: Blocks,
  outcome: Blocks,
  opening: z.object({ cash: Block }),
  balance: Blocks,
  balances: z.array(z.object({ payment_type: PaymentType, currency: Currency, amount: LargeAmount })),
});

/**
 * Sums up today's movements, opening balances and present money at the sale desks open to the caller. Reads
 * one item per desk, for any number of movements. Contract 9.38; Contract 9.117.
 */
export async function statsOfToday(
  actor: Staff,
  { filter: { company_id, cashbox_id } }: z.output<typeof StatsQuery>,
  at: Instant,
): Promise<z.input<typeof OperationStats>> {
  const desks = await listSaleDesks(actor, [
    ...(company_id === undefined ? [] : [equals('company_id', company_id)]),
    ...(cashbox_id === undefined ? [] : [equals('id', cashbox_id)]),
  ]);
  const sums = await readMoneyOf(actor, desks);
  const days = sums.map((money) => dayShown(money, at));
  const balance = sums.map(sumsIn);
  return {
    income: blocksOf(days.map(({ income }) => income)),
    outcome: blocksOf(days.map(({ outcome }) => outcome)),
    opening: { cash: blocksOf(days.map(({ opening }) => opening)).cash },
    balance: blocksOf(balance),
    balances: MONEY_KINDS.map((kind) => ({ ...kind, amount: sumOf(balance, [kind]) })),
  };
}

/**
 * Returns a desk's day, with an open shift from its opening balance. Money brought at that opening is part of
 * the balance, so it is excluded from the day's income.
 */
function dayShown(money: DeskMoney, at: Instant): DeskDay {
  const day = dayOfDesk(money, at);
  const { shift } = money;
  if (!shift) return day;
  const isOfToday = dayOf(shift.opened_at) === day.date;
  const kinds = MONEY_KINDS.map((kind) => {
    const [, brought] = tallyOf(shift, { ...kind, source_type: 'shift', type: 'income' });
    return { kind, brought };
  });
  const add = (sums: KindSums, times: 1 | -1) =>
    kinds.reduce((after, { kind, brought }) => addToKind(after, kind, times * brought), sums);
  return {
    ...day,
    opening: add(shift.opening_balance, 1),
    income: isOfToday ? add(day.income, -1) : day.income,
  };
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

function sumOf(sums: readonly KindSums[], kinds: readonly MoneyKind[]): bigint {
  return sums.reduce((sum, each) => {
    return kinds.reduce((total, kind) => total + BigInt(each[nameOf(kind)] ?? 0), sum);
  }, 0n);
}

const Named = z.object({ id: z.int(), name: z.string() });

/** Sale desks to choose from. Part 3, "Cash operations". */
export const SaleDesks = z.object({
  data: z.array(Named.extend({ company: Named, is_open: z.boolean() })),
  is_shift_enabled: z.boolean(),
});

/** Lists the sale desks open to the caller, and whether a shift is open at each. */
export async function saleDesks(actor: Staff) {
  const [desks, is_shift_enabled] = await Promise.all([
    listSaleDesks(actor),
    hasShifts(actor, actor.companyId),
  ]);
  const [sums, companies] = await Promise.all([
    readMoneyOf(actor, desks),
    getItems(desks.map(({ company_id }) => keyOfCompany(company_id))),
  ]);
  const data = desks.map(({ id, name }, index) => {
    return { id, name, company: Named.parse(companies[index]), is_open: Boolean(sums[index]?.shift) };
  });
  return { data, is_shift_enabled };
}

/** Lists the matching sale desks open to the caller, by id. */
async function listSaleDesks(actor: Staff, where: readonly Expression[] = []) {
  const whole = wholeList([equals('type', 'sale'), equals('is_deleted', false), ...where]);
  return (await desks.listBare(actor, whole)).rows;
}

/** Reads the money of desks. One round trip. */
async function readMoneyOf(
  { tenant }: Staff,
  desks: readonly { readonly id: number }[],
): Promise<DeskMoney[]> {
  const items = await getItems(desks.map(({ id }) => deskMoneyKey(tenant, id)));
  return items.map((item) => DeskMoney.parse(item));
}
