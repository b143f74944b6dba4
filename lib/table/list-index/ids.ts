/*
 * Lists of ids in ascending order, in few bytes: the differences between them, seven bits to a byte; or, for
 * dense ids, a bitmap.
 */

const DIFFERENCES = 0;
const BITMAP = 1;

/** Packs ids in ascending order. */
export function packIds(ids: readonly number[]): Uint8Array<ArrayBuffer> {
  const differences = [DIFFERENCES];
  let before = 0;
  for (const id of ids) {
    pushNumber(differences, id - before);
    before = id;
  }
  const [first, last] = [ids[0], ids.at(-1)];
  if (first === undefined || last === undefined) return Uint8Array.from(differences);
  const width = Math.ceil((last - first + 1) / 8);
  const head = [BITMAP];
  pushNumber(head, first);
  if (head.length + width >= differences.length) return Uint8Array.from(differences);
  const packed = new Uint8Array(head.length + width);
  packed.set(head);
  for (const id of ids) {
    const place = head.length + Math.floor((id - first) / 8);
    packed[place] = (packed[place] ?? 0) | (1 << ((id - first) % 8));
  }
  return packed;
}

export function unpackIds(packed: Uint8Array): number[] {
  if (packed[0] === BITMAP) return unpackBitmap(packed);
  let id = 0;
  return unpackNumbers(packed.subarray(1)).map((difference) => {
    id += difference;
    return id;
  });
}

function unpackBitmap(packed: Uint8Array): number[] {
  let place = 1;
  while ((packed[place] ?? 0) >= 128) place += 1;
  const [first = 0] = unpackNumbers(packed.subarray(1, place + 1));
  const bits = packed.subarray(place + 1);
  const ids: number[] = [];
  for (const [index, byte] of bits.entries()) {
    for (let bit = 0; bit < 8; bit++) if (byte & (1 << bit)) ids.push(first + index * 8 + bit);
  }
  return ids;
}

/** Packs non-negative integers; small ones take a byte. */
export function packNumbers(numbers: readonly number[]): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  for (const number of numbers) pushNumber(bytes, number);
  return Uint8Array.from(bytes);
}

export function unpackNumbers(packed: Uint8Array): number[] {
  const numbers: number[] = [];
  let [sum, weight] = [0, 1];
  for (const byte of packed) {
    sum += (byte % 128) * weight;
    weight *= 128;
    if (byte >= 128) continue;
    numbers.push(sum);
    [sum, weight] = [0, 1];
  }
  return numbers;
}

function pushNumber(bytes: number[], number: number): void {
  let left = number;
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  bytes.push(left);
}
