import * as z from 'zod';
import { enumeration } from '#lib/values/enumeration.ts';
import { Currency, KindSums, type MinorUnits, nameOf } from '#lib/values/money.ts';
import type { MoneyMove } from './day.ts';

const count = z.int().min(0).optional();

const DEBT_CHANGES = ['given', 'repaid', 'refunded', 'spent', 'returned'] as const;

type DebtChange = (typeof DEBT_CHANGES)[number];

/**
 * Debts given to clients, repaid by them and refunded to them, and deposits spent on documents and returned
 * by them, in one currency. Part 5, 5A.6, 5.
 */
const DebtSums = z.partialRecord(z.enum(DEBT_CHANGES), z.int());

/** Number of postings, and their total. */
const Tally = z.tuple([z.int(), z.int()]);

/**
 * Open shift of a desk, stored in the item of the desk's money, with running sums of everything in it. Each
 * document of a shift is thus counted in its own transaction, and closing reads one item, however long the
 * shift was. Zeros are omitted: each further KB costs every sale two units.
 */
export const OpenShift = z.object({
  id: z.int(),
  creator_id: z.int(),
  opened_at: z.int(),
  /** Null without a limit. */
  closes_at: z.int().nullable(),
  overdue_action: enumeration('shift.overdue_action', ['remind', 'block']).nullable(),
  /** Opening balance of the desk, by kind of money. */
  opening_balance: KindSums,
  /** Postings under `tallyName`. */
  tallies: z.record(z.string(), Tally),
  checks_count: count,
  returns_count: count,
  debts: z.partialRecord(Currency, DebtSums),
});

export type OpenShift = Readonly<z.output<typeof OpenShift>>;

/** Movement of money, with its source. */
export type SourcedMovement = MoneyMove & { readonly source_type: string };

/** Counts of a shift apart from postings. */
export interface ShiftCounts {
  readonly checks?: number;
  readonly returns?: number;
  readonly debt?:
    | ({ readonly currency: Currency } & Readonly<Partial<Record<DebtChange, MinorUnits>>>)
    | undefined;
}

/** Returns the number and total of postings of one source, direction and kind of money. */
export function tallyOf(
  shift: OpenShift,
  moved: Omit<SourcedMovement, 'amount'>,
): readonly [number, MinorUnits] {
  return shift.tallies[tallyName(moved)] ?? [0, 0];
}

/** Returns the name of the tally of one source, direction and kind of money. */
export function tallyName(moved: Omit<SourcedMovement, 'amount'>): string {
  return `${moved.source_type} ${moved.type} ${nameOf(moved)}`;
}

/** Adds a posting to its tally, or removes it. */
export function addToTally(shift: OpenShift, moved: SourcedMovement, times: 1 | -1): OpenShift {
  const name = tallyName(moved);
  const { [name]: [count, amount] = [0, 0], ...others } = shift.tallies;
  const after = [count + times, amount + times * moved.amount] as const;
  return { ...shift, tallies: after[0] === 0 ? others : { ...others, [name]: [...after] } };
}

/** Adds sales, returns, and changes of a debt and a deposit. */
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
