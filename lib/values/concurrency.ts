/**
 * Begins work that is awaited later. A failure before that is nobody's yet, and must not end the process:
 * whoever awaits the work is told of it. Nothing is begun otherwise
 * (`tests/conventions/floating-promises.test.ts`).
 */
export function inBackground<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

/** Cuts a list into pieces of a size; the last may be shorter. */
export function splitEvery<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, piece) =>
    list.slice(piece * size, (piece + 1) * size),
  );
}

/** Cuts a list into pieces of at most `count` elements and `size` in all; a larger element gets its own. */
export function splitBySize<T>(
  list: readonly T[],
  max: { readonly count: number; readonly size: number },
  sizeOf: (each: T) => number,
): T[][] {
  const found: T[][] = [];
  let [piece, size]: [T[], number] = [[], 0];
  for (const each of list) {
    if (piece.length === 0 || piece.length === max.count || size + sizeOf(each) > max.size) {
      [piece, size] = [[], 0];
      found.push(piece);
    }
    piece.push(each);
    size += sizeOf(each);
  }
  return found;
}

/** Does work on many things, at most `most` at once; answers in their order. */
export async function mapConcurrent<A, B>(
  all: readonly A[],
  max: number,
  work: (each: A) => Promise<B>,
): Promise<B[]> {
  const results: B[] = [];
  const waiting = all.entries();
  const worker = async () => {
    for (const [index, each] of waiting) results[index] = await work(each);
  };
  await Promise.all(Array.from({ length: Math.min(max, all.length) }, worker));
  return results;
}

/** Does the same and gives each answer in its turn, so that no more than so many are at hand. */
export async function* mapConcurrentInOrder<A, B>(
  all: readonly A[],
  max: number,
  work: (each: A) => Promise<B>,
): AsyncGenerator<B, undefined> {
  const begun: Promise<B>[] = [];
  for (const [index] of all.entries()) {
    for (const each of all.slice(begun.length, index + max)) {
      // If the consumer stops early, the rest is not awaited.
      begun.push(inBackground(work(each)));
    }
    const next = begun[index];
    if (next) yield await next;
    delete begun[index];
  }
}
