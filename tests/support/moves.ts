import { randomInt } from 'node:crypto';
import * as fc from 'fast-check';
import { readerOf } from '#bin/verify/frame/reader.ts';
import { desks } from '#lib/cash/desk/desk.ts';
import { POSTING_CANCELLATION } from '#lib/cash/posting/cancellation.ts';
import { POSTING } from '#lib/cash/posting/record.ts';
import { cashReport } from '#lib/reports/cash/cash.ts';
import { familyTenant, type Tenant } from '#lib/table/keys.ts';
import { nextId } from '#lib/table/sequences.ts';
import { type Direction, MONEY_KINDS, type MoneyKind, nameOf, oppositeOf } from '#lib/values/money.ts';
import { type Day, daysAfter, startOfDay } from '#lib/values/time.ts';
import { writeRows } from './rows.ts';

/** A movement of money as reports know it: at which desk, on which day since the first, and how it ended. */
export interface Moving {
  readonly desk: number;
  readonly company: number;
  readonly kind: number;
  readonly type: Direction;
  readonly amount: number;
  readonly day: number;
  /** Days until its reversal; null without one. */
  readonly back: number | null;
}

/** The first day on which anything moves. */
export const FIRST_DAY: Day = '2025-11-20';

/** Movements at three desks of two companies, within three months. */
export const moving: fc.Arbitrary<Moving> = fc.record({
  desk: fc.integer({ min: 1, max: 3 }),
  company: fc.integer({ min: 1, max: 2 }),
  kind: fc.constantFrom(0, 1, 5, 11),
  type: fc.constantFrom<Direction>('income', 'outcome'),
  amount: fc.integer({ min: 1, max: 99_999_999_999_999 }),
  day: fc.nat(90),
  back: fc.option(fc.nat(40), { freq: 3 }),
});

function rowOf({ desk, company, kind, type, amount, day }: Moving, id: number) {
  const created_at = startOfDay(daysAfter(FIRST_DAY, day));
  const place = { company_id: company, cashbox_id: desk };
  return { id, ...place, type, ...MONEY_KINDS[kind], amount, created_at, version: 1 };
}

/** Lists how money moved back. */
function backOf(all: readonly Moving[]): Moving[] {
  return all.flatMap((each) =>
    each.back === null ? [] : { ...each, type: oppositeOf(each), day: each.day + each.back },
  );
}

/** Writes movements as postings and their cancellations, with only the fields that reports read. */
export async function addMoves(tenant: Tenant, all: readonly Moving[]): Promise<void> {
  for (const [type, moves] of [[POSTING, all] as const, [POSTING_CANCELLATION, backOf(all)] as const]) {
    if (moves.length === 0) continue;
    const first = await nextId(type, tenant, moves.length);
    const rows = moves.map((move, index) => rowOf(move, first + index));
    await writeRows({ type, tenant, indexes: [] }, rows);
  }
}

/** Creates a family of one test's own with desks, which have only the fields that reports read. */
export async function newMovingDesks(count = 3): Promise<number> {
  const familyId = randomInt(2 ** 40);
  const rows = Array.from({ length: count }, (_, index) => {
    const desk = { id: index + 1, company_id: 1, name: `Desk ${index + 1}`, type: 'sale' };
    return { ...desk, is_deleted: false, created_at: 0, version: 1 };
  });
  await writeRows({ type: desks.type, tenant: familyTenant(familyId), indexes: [] }, rows);
  return familyId;
}

/** Returns the report of some days since the first, in plain lines. */
export async function readCashReport(
  familyId: number,
  group: 'day' | 'cashbox',
  [from, to]: readonly [number, number],
) {
  const date = { from: daysAfter(FIRST_DAY, from), to: daysAfter(FIRST_DAY, to) };
  const { data } = await cashReport(readerOf(familyId), { group, filter: { date } });
  return data.map(({ key, opening, income, outcome, closing, ...kind }) => {
    return `${key} ${nameOf(kind)}: ${opening} ${income} ${outcome} ${closing}`;
  });
}

/** Computes the expected report naively. */
export function cashOfMoves(
  all: readonly Moving[],
  group: 'day' | 'cashbox',
  [from, to]: readonly [number, number],
): string[] {
  const counted = [...all, ...backOf(all)].filter(({ day }) => day <= to);
  const lines: string[] = [];
  const tell = (key: string | number, kind: MoneyKind, own: readonly Moving[], since: number) => {
    const sum = (type: Direction, moves: readonly Moving[]) =>
      moves.reduce((total, each) => total + (each.type === type ? BigInt(each.amount) : 0n), 0n);
    const [before, within] = [own.filter(({ day }) => day < since), own.filter(({ day }) => day >= since)];
    const opening = sum('income', before) - sum('outcome', before);
    const [income, outcome] = [sum('income', within), sum('outcome', within)];
    lines.push(`${key} ${nameOf(kind)}: ${opening} ${income} ${outcome} ${opening + income - outcome}`);
  };
  const isTold = (own: readonly Moving[]) => {
    const changes = own.map(({ type, amount }) => (type === 'income' ? BigInt(amount) : -BigInt(amount)));
    const before = changes.filter((_, index) => (own[index]?.day ?? 0) < from);
    return own.some(({ day }) => day >= from) || before.reduce((sum, each) => sum + each, 0n) !== 0n;
  };
  const ofKinds = MONEY_KINDS.map((kind, place) => ({
    kind,
    own: counted.filter((each) => each.kind === place),
  }));
  const ofDesk = (moves: readonly Moving[], desk: number) => moves.filter((each) => each.desk === desk);
  if (group === 'cashbox') {
    for (const desk of [1, 2, 3])
      for (const { kind, own } of ofKinds)
        if (isTold(ofDesk(own, desk))) tell(desk, kind, ofDesk(own, desk), from);
    return lines;
  }
  const told = ofKinds.filter(({ own }) => [1, 2, 3].some((desk) => isTold(ofDesk(own, desk))));
  for (let day = from; day <= to; day++)
    for (const { kind, own } of told)
      tell(
        daysAfter(FIRST_DAY, day),
        kind,
        own.filter((each) => each.day <= day),
        day,
      );
  return lines;
}
