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
 * Positions of a stocktake: the plan, and an item for each position that was counted or excluded.
 *
 * The plan is the list of rows at the start of the stocktake, a thousand to an item, and is immutable. A
 * position's own item records its count or its exclusion. A stocktake of ten thousand positions thus starts
 * with ten items, and its remaining positions are the plan without those. The positions' items are spread
 * over eight partitions: all of ten thousand, some two megabytes, are read in one round trip, and a partition
 * takes at most an eighth of the writes.
 */

/** Row of a warehouse to be counted. */
export interface PlannedPosition {
  readonly id: number;
  readonly product_id: number;
}

/** Limit of a stocktake's positions. Part 2, "Limits". */
export const MAX_POSITIONS = 10_000;

const SPREAD = 8;
const PACK = 1000;

const Removed = z.object({ id: z.int(), product_id: z.int(), is_removed: z.literal(true) });
const Versioned = z.object({ version: z.int() });
const Pack = z.object({ rows: z.array(z.tuple([z.int(), z.int()])) });

/** Record of a position that was counted or excluded. */
export interface PositionRecord {
  readonly version: number;
  /** Count of the position; undefined if excluded. */
  readonly line: CheckedLine | undefined;
}

/** Position of a stocktake, with its count, if any. */
export type Position = PlannedPosition & { readonly line: CheckedLine | undefined };

/**
 * Reads the positions of a stocktake, in order: the planned ones, then those added manually. One round trip.
 */
export async function readPositions(ref: RecordRef): Promise<Position[]> {
  const [plan, ...spread] = await Promise.all([
    readPlan(ref),
    ...partitionsOf(ref).map((pk) => wholePartition(pk)),
  ]);
  const records = new Map(spread.flat().map(positionRecordOf));
  const planned = new Set(plan.map(({ id }) => id));
  const remaining = plan.flatMap((row): Position[] => {
    const record = records.get(row.id);
    return record && !record.line ? [] : [{ ...row, line: record?.line }];
  });
  const added = [...records.values()].flatMap(({ line }): Position[] =>
    line && !planned.has(line.id) ? [{ id: line.id, product_id: line.product_id, line }] : [],
  );
  return [...remaining, ...added.sort((a, b) => a.id - b.id)];
}

/** Returns the lines of the counted positions. */
export function linesIn(positions: readonly Position[]): CheckedLine[] {
  return positions.flatMap(({ line }) => line ?? []);
}

/** Reads the rows planned at the start. One round trip. */
export async function readPlan(ref: RecordRef): Promise<PlannedPosition[]> {
  const packs = await wholePartition(planPartition(ref));
  return packs.flatMap((pack) => Pack.parse(pack).rows.map(([id, product_id]) => ({ id, product_id })));
}

/**
 * Reads the records of positions, in the order of the ids; undefined if neither counted nor excluded. One
 * round trip.
 */
export async function readPositionRecords(
  ref: RecordRef,
  ids: readonly number[],
): Promise<(PositionRecord | undefined)[]> {
  const items = await getItems(ids.map((id) => positionRecordKey(ref, id)));
  return items.map((item) => item && positionRecordOf(item)[1]);
}

/**
 * Writes planned rows, of which `from` are written already. They are not read before the stocktake exists,
 * and are written once only, so that a delayed request changes nothing.
 */
export async function writePlan(
  ref: RecordRef,
  rows: readonly PlannedPosition[],
  from: number,
): Promise<void> {
  await Promise.all(
    splitEvery(rows, PACK).map((pack, index) => {
      const item = { rows: pack.map(({ id, product_id }) => [id, product_id]) };
      const key = { pk: planPartition(ref), sk: padId(from + index * PACK) };
      return writeOne(actionOf(key, { kind: 'put', item }, [absent('pk')]));
    }),
  );
}

/**
 * Builds the write of a position's count or exclusion. An exclusion is stored too, so that a concurrent
 * reader does not take the position for a new one. `Contention` if the record has changed since the read.
 */
export function positionRecordWrite(
  ref: RecordRef,
  item: CheckedLine | z.output<typeof Removed>,
  before: PositionRecord | undefined,
): Write {
  const unchanged = before ? equals('version', before.version) : absent('pk');
  return put(
    positionRecordKey(ref, item.id),
    { ...item, version: (before?.version ?? 0) + 1 },
    { if: unchanged },
  );
}

/** Returns the keys of all items of a canceled stocktake except its document, to be removed. */
export async function partsOf(ref: RecordRef): Promise<Key[]> {
  const partitions = [planPartition(ref), ...partitionsOf(ref)];
  const items = await Promise.all(partitions.map((pk) => wholePartition(pk)));
  return items.flat().map(keyOfItem);
}

function positionRecordOf(item: Item): [number, PositionRecord] {
  const { version } = Versioned.parse(item);
  const removed = Removed.safeParse(item).data;
  if (removed) return [removed.id, { version, line: undefined }];
  const line = parseStored(CheckedLine, item);
  return [line.id, { version, line }];
}

function positionRecordKey(ref: RecordRef, id: number): Key {
  return { pk: partOf(ref, id % SPREAD), sk: padId(id) };
}

function partitionsOf(ref: RecordRef): string[] {
  return Array.from({ length: SPREAD }, (_, part) => partOf(ref, part));
}

function partOf({ tenant, id }: RecordRef, part: number): string {
  return `${partition('inventory-line', tenant)}#${id}#${part}`;
}

function planPartition({ tenant, id }: RecordRef): string {
  return `${partition('inventory-plan', tenant)}#${id}`;
}
