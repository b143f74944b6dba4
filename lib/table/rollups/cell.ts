/*
 * Packed cells of a rollup: for each cell its dimensions and its sums, as non-negative integers, seven bits
 * to a byte. A sum may exceed the safe integers, so all are `bigint`.
 */

/** A cell of a rollup: the dimensions `of` and their sums. */
export interface RollupCell {
  readonly of: readonly number[];
  readonly sums: readonly bigint[];
}

/** Numbers of dimensions and sums in a cell. */
export interface CellForm {
  readonly numbers: number;
  readonly sums: number;
}

/** Returns the name of a cell within its rollup. */
export function nameOfCell({ of }: Pick<RollupCell, 'of'>): string {
  return of.join(' ');
}

export function packCells(cells: Iterable<RollupCell>): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (const { of, sums } of cells) {
    for (const number of of) pushWhole(bytes, number);
    for (const sum of sums) pushSum(bytes, sum);
  }
  return Uint8Array.from(bytes);
}

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
 * Unpacks cells one by one, for callers that add up a million of them: dimensions and sums, in an array that
 * is reused for the next cell. A sum is a `bigint` only if it may exceed the safe integers.
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

/** Unpacks the number between two bytes, both inclusive. */
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

/** Returns true if this many cells are packed. Skips counting if there are too few bytes. */
export function isCellsAtLeast(max: number, packed: Uint8Array, { numbers, sums }: CellForm): boolean {
  const values = max * (numbers + sums);
  return packed.length >= values && packed.filter((byte) => byte < 128).length >= values;
}

/** Seven bits from each of this many bytes make a safe integer. */
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
