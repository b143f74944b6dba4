import * as z from 'zod';
import { Currency, KindSums, type MinorUnits, nameOf } from '#lib/values/money.ts';
import type { MoneyMove } from './day.ts';

const count = z.int().min(0).optional();

const DEBT_CHANGES = ['given', 'repaid', 'refunded'] as const;

type DebtChange = (typeof DEBT_CHANGES)[number];

/** What was lent to clients, paid back by them and refunded to them, in a currency. */
const DebtSums = z.partialRecord(z.enum(DEBT_CHANGES), z.int());

/** How many postings, and what they come to. */
const Tally = z.tuple([z.int(), z.int()]);

/**
 * The open shift of a desk, in the item of the desk's money: with the running sums of all that belongs to it.
 * So whatever belongs to a shift is counted in the very write that makes it, and closing reads one item,
 * however long the shift was. What is zero is left out: each further KB of it costs every sale two units.
 */
export const OpenShift = z.object({
  id: z.int(),
  creator_id: z.int(),
  opened_at: z.int(),
  /** Null without a limit. */
  closes_at: z.int().nullable(),
  overdue_action: z.enum(['remind', 'block']).nullable(),
  /** What the desk had when it was opened, by kind of money. */
  opening_balance: KindSums,
  /** Postings under `tallyName`. */
  tallies: z.record(z.string(), Tally),
  checks_count: count,
  returns_count: count,
  debts: z.partialRecord(Currency, DebtSums),
});

export type OpenShift = Readonly<z.output<typeof OpenShift>>;

/** A movement of money and its source. */
export type SourcedMovement = MoneyMove & { readonly source_type: string };

/** What is counted in a shift beside postings. */
export interface ShiftCounts {
  readonly checks?: number;
  readonly returns?: number;
  readonly debt?:
    | ({ readonly currency: Currency } & Readonly<Partial<Record<DebtChange, MinorUnits>>>)
    | undefined;
}

/** Gives how many postings of one source, way and kind of money there are, and what they come to. */
export function tallyOf(
  shift: OpenShift,
  moved: Omit<SourcedMovement, 'amount'>,
): readonly [number, MinorUnits] {
  return shift.tallies[tallyName(moved)] ?? [0, 0];
}

/** Names the tally of postings of one source, way and kind of money. */
export function tallyName(moved: Omit<SourcedMovement, 'amount'>): string {
  return `${moved.source_type} ${moved.type} ${nameOf(moved)}`;
}

/** Adds so many postings that come to an amount; below zero takes them back. */
export function addToTally(shift: OpenShift, moved: SourcedMovement, times: 1 | -1): OpenShift {
  const name = tallyName(moved);
  const { [name]: [count, amount] = [0, 0], ...others } = shift.tallies;
  const after = [count + times, amount + times * moved.amount] as const;
  return { ...shift, tallies: after[0] === 0 ? others : { ...others, [name]: [...after] } };
}

/** Adds cheques, returns and a change of a debt. */
export function addCounts(shift: OpenShift, { checks = 0, returns = 0, debt }: ShiftCounts): OpenShift {
  const { checks_count = 0, returns_count = 0 } = shift;
  return {
    ...shift,
    checks_count: checks_count + checks,
    returns_count: returns_count + returns,
    debts: debt ? addDebt(shift.debts, debt) : shift.debts,
  };
}

function addDebt(
  debts: OpenShift['debts'],
  { currency, ...changes }: NonNullable<ShiftCounts['debt']>,
): OpenShift['debts'] {
  const before = debts[currency];
  const sums = DEBT_CHANGES.map((name) => [name, (before?.[name] ?? 0) + (changes[name] ?? 0)] as const);
  const after = Object.fromEntries(sums.filter(([, sum]) => sum !== 0));
  return Object.keys(after).length === 0 ? debts : { ...debts, [currency]: after };
}
