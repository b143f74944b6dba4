import * as z from 'zod';
import { parseStored } from '#lib/records/stored.ts';
import { actionOf } from '#lib/table/change/change.ts';
import { writeOne } from '#lib/table/change/send.ts';
import { put, type Write } from '#lib/table/change/write.ts';
import type { Item } from '#lib/table/client.ts';
import { absent, equals } from '#lib/table/expression.ts';
import { type Key, keyOfItem, padId, partition, type RecordRef } from '#lib/table/keys.ts';
import { getItems } from '#lib/table/read/get.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { splitEvery } from '#lib/values/concurrency.ts';
import { CheckedLine } from './line.ts';

/*
 * What a count is of: its plan, and beside it an item for each position that somebody has dealt with.
 *
 * The plan is the rows that were listed when the count began, a thousand to an item, and never changes. A
 * position's own item says that it was counted, and how, or that it was taken out. So a count of ten thousand
 * begins with ten items, and what is still to be counted is the plan without those. The positions' items are
 * spread over eight partitions: all of ten thousand, some two megabytes, are one round trip, and no partition
 * has to take more than an eighth of what is written.
 */

/** A row of a warehouse that is to be counted. */
export interface PlannedPosition {
  readonly id: number;
  readonly product_id: number;
}

/** As many positions as a count may have. Part 2, "Limits". */
export const MAX_POSITIONS = 10_000;

const SPREAD = 8;
const PACK = 1000;

const Removed = z.object({ id: z.int(), product_id: z.int(), is_removed: z.literal(true) });
const Versioned = z.object({ version: z.int() });
const Pack = z.object({ rows: z.array(z.tuple([z.int(), z.int()])) });

/** What somebody has done with a position: counted it, or taken it out. */
export interface PositionRecord {
  readonly version: number;
  /** How it was counted; undefined if it was taken out. */
  readonly line: CheckedLine | undefined;
}

/** A position of a count, with how it was counted, if it was. */
export type Position = PlannedPosition & { readonly line: CheckedLine | undefined };

/** Reads the positions of a count in their order: the plan's, then what was added by hand. One round trip. */
export async function readPositions(place: RecordRef): Promise<Position[]> {
  const [plan, ...spread] = await Promise.all([
    readPlan(place),
    ...partitionsOf(place).map((pk) => wholePartition(pk)),
  ]);
  const traces = new Map(spread.flat().map(traceOf));
  const planned = new Set(plan.map(({ id }) => id));
  const kept = plan.flatMap((row): Position[] => {
    const trace = traces.get(row.id);
    return trace && !trace.line ? [] : [{ ...row, line: trace?.line }];
  });
  const added = [...traces.values()].flatMap(({ line }): Position[] =>
    line && !planned.has(line.id) ? [{ id: line.id, product_id: line.product_id, line }] : [],
  );
  return [...kept, ...added.sort((a, b) => a.id - b.id)];
}

/** Lists the lines of the positions that were counted. */
export function linesIn(positions: readonly Position[]): CheckedLine[] {
  return positions.flatMap(({ line }) => line ?? []);
}

/** Reads the rows that a count was begun with. One round trip. */
export async function readPlan(place: RecordRef): Promise<PlannedPosition[]> {
  const packs = await wholePartition(planPartition(place));
  return packs.flatMap((pack) => Pack.parse(pack).rows.map(([id, product_id]) => ({ id, product_id })));
}

/** Reads what was done with some positions, each in its place; undefined if nothing. One round trip. */
export async function readPositionRecords(
  place: RecordRef,
  ids: readonly number[],
): Promise<(PositionRecord | undefined)[]> {
  const items = await getItems(ids.map((id) => traceKey(place, id)));
  return items.map((item) => item && traceOf(item)[1]);
}

/**
 * Writes down rows to be counted, `from` of which a count has already. Nobody reads them before the count is
 * there, and none is written twice, so that a request which comes late changes nothing.
 */
export async function writePlan(
  place: RecordRef,
  rows: readonly PlannedPosition[],
  from: number,
): Promise<void> {
  await Promise.all(
    splitEvery(rows, PACK).map((pack, index) => {
      const item = { rows: pack.map(({ id, product_id }) => [id, product_id]) };
      const key = { pk: planPartition(place), sk: padId(from + index * PACK) };
      return writeOne(actionOf(key, { kind: 'put', item }, [absent('pk')]));
    }),
  );
}

/**
 * Builds the write of a counted position, or of one that is taken out: a note, so that nobody who has read it
 * takes it for new. `Contention` if somebody has dealt with it since it was read.
 */
export function positionRecordWrite(
  place: RecordRef,
  item: CheckedLine | z.output<typeof Removed>,
  before: PositionRecord | undefined,
): Write {
  const unchanged = before ? equals('version', before.version) : absent('pk');
  return put(traceKey(place, item.id), { ...item, version: (before?.version ?? 0) + 1 }, { if: unchanged });
}

/** Finds all items of a canceled count but its document: they are to be removed. */
export async function partsOf(place: RecordRef): Promise<Key[]> {
  const partitions = [planPartition(place), ...partitionsOf(place)];
  const items = await Promise.all(partitions.map((pk) => wholePartition(pk)));
  return items.flat().map(keyOfItem);
}

function traceOf(item: Item): [number, PositionRecord] {
  const { version } = Versioned.parse(item);
  const removed = Removed.safeParse(item).data;
  if (removed) return [removed.id, { version, line: undefined }];
  const line = parseStored(CheckedLine, item);
  return [line.id, { version, line }];
}

function traceKey(place: RecordRef, id: number): Key {
  return { pk: partOf(place, id % SPREAD), sk: padId(id) };
}

function partitionsOf(place: RecordRef): string[] {
  return Array.from({ length: SPREAD }, (_, part) => partOf(place, part));
}

function partOf({ tenant, id }: RecordRef, part: number): string {
  return `${partition('inventory-line', tenant)}#${id}#${part}`;
}

function planPartition({ tenant, id }: RecordRef): string {
  return `${partition('inventory-plan', tenant)}#${id}`;
}
