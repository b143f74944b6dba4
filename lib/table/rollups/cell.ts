/*
 * Sums of a cube, packed: for each cell what it is of, and what it comes to, as whole numbers from 0, seven
 * bits to a byte. A sum may pass the integers that a number tells apart, so all are `bigint`.
 */

/** A cell of a cube: its numbers say what it is of, its sums what that comes to. */
export interface RollupCell {
  readonly of: readonly number[];
  readonly sums: readonly bigint[];
}

/** How many numbers and sums a cell has. */
export interface CellForm {
  readonly numbers: number;
  readonly sums: number;
}

/** Names a cell within its cube. */
export function nameOfCell({ of }: Pick<RollupCell, 'of'>): string {
  return of.join(' ');
}

/** Packs cells. */
export function packCells(cells: Iterable<RollupCell>): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (const { of, sums } of cells) {
    for (const number of of) pushWhole(bytes, number);
    for (const sum of sums) pushSum(bytes, sum);
  }
  return Uint8Array.from(bytes);
}

/** Unpacks cells. */
export function unpackCells(packed: Uint8Array, form: CellForm): RollupCell[] {
  const found: RollupCell[] = [];
  walkCells(packed, form, (values) => {
    found.push({
      of: values.slice(0, form.numbers).map(Number),
      sums: values.slice(form.numbers).map(BigInt),
    });
  });
  return found;
}

/**
 * Unpacks cells one after the other, for who adds up a million of them: its numbers and its sums, in an array
 * that the next one fills anew. A sum is a `bigint` only if a number may not tell it.
 */
export function walkCells(
  packed: Uint8Array,
  { numbers, sums }: CellForm,
  visit: (values: readonly (number | bigint)[]) => void,
): void {
  const size = numbers + sums;
  const values: (number | bigint)[] = Array.from({ length: size }, () => 0);
  let place = 0;
  for (let from = 0, end = 0; end < packed.length; end++) {
    if ((packed[end] ?? 0) >= 128) continue;
    values[place] = wholeBetween(packed, from, end);
    place += 1;
    from = end + 1;
    if (place < size) continue;
    visit(values);
    place = 0;
  }
}

/** Unpacks the number between two bytes, the last one included. */
function wholeBetween(packed: Uint8Array, from: number, end: number): number | bigint {
  if (end - from >= SURE_BYTES) return largeBetween(packed, from, end);
  let whole = 0;
  for (let at = end; at >= from; at--) whole = whole * 128 + ((packed[at] ?? 0) % 128);
  return whole;
}

function largeBetween(packed: Uint8Array, from: number, end: number): bigint {
  let whole = 0n;
  for (let at = end; at >= from; at--) whole = whole * 128n + BigInt((packed[at] ?? 0) % 128);
  return whole;
}

/** Tells whether there are so many packed cells. None is counted if there are too few bytes for them. */
export function isCellsAtLeast(max: number, packed: Uint8Array, { numbers, sums }: CellForm): boolean {
  const values = max * (numbers + sums);
  return packed.length >= values && packed.filter((byte) => byte < 128).length >= values;
}

/** Seven bits each of so many bytes make a number that tells all integers apart. */
const SURE_BYTES = 7;

function pushWhole(bytes: number[], number: number): void {
  let left = number;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  bytes.push(left);
}

function pushSum(bytes: number[], sum: bigint): void {
  if (sum < 0n) throw new Error('A sum of a cube is below zero');
  let left = sum;
  for (; left > BigInt(Number.MAX_SAFE_INTEGER); left /= 128n) bytes.push(Number(left % 128n) + 128);
  pushWhole(bytes, Number(left));
}
