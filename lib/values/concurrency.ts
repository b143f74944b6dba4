/**
 * Starts work that is awaited later. An earlier failure must not end the process as an unhandled rejection:
 * the caller gets it when it awaits the work. All background work is started here
 * (`tests/conventions/floating-promises.test.ts`).
 */
export function inBackground<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}

/** Splits a list into chunks of a size; the last may be shorter. */
export function splitEvery<T>(list: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / size) }, (_, chunk) =>
    list.slice(chunk * size, (chunk + 1) * size),
  );
}

/**
 * Splits a list into chunks of at most `count` elements and `size` in total; a larger element gets its own.
 */
export function splitBySize<T>(
  list: readonly T[],
  max: { readonly count: number; readonly size: number },
  sizeOf: (each: T) => number,
): T[][] {
  const found: T[][] = [];
  let [chunk, size]: [T[], number] = [[], 0];
  for (const each of list) {
    if (chunk.length === 0 || chunk.length === max.count || size + sizeOf(each) > max.size) {
      [chunk, size] = [[], 0];
      found.push(chunk);
    }
    chunk.push(each);
    size += sizeOf(each);
  }
  return found;
}

/** Maps elements with at most `max` calls in progress; returns the results in order. */
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

/**
 * Works on the elements of all steps, at most `max` of a step at once, and returns their number. A failure
 * does not hinder the others: an `AggregateError` is thrown at the end.
 */
export async function workOnAll<A>(
  steps: AsyncIterable<readonly A[]>,
  max: number,
  work: (each: A) => Promise<unknown>,
): Promise<number> {
  let count = 0;
  const errors: unknown[] = [];
  for await (const step of steps) {
    count += step.length;
    await mapConcurrent(step, max, (each) => work(each).catch((error: unknown) => errors.push(error)));
  }
  if (errors.length === 0) return count;
  throw new AggregateError(errors, `${errors.length} of ${count} failed, the first by: ${errors[0]}`);
}

/** Maps likewise and yields each result in order, so that at most `max` are in memory. */
export async function* mapConcurrentInOrder<A, B>(
  all: readonly A[],
  max: number,
  work: (each: A) => Promise<B>,
): AsyncGenerator<B, undefined> {
  const started: Promise<B>[] = [];
  for (const [index] of all.entries()) {
    for (const each of all.slice(started.length, index + max)) {
      // If the consumer stops early, the rest is not awaited.
      started.push(inBackground(work(each)));
    }
    const next = started[index];
    if (next) yield await next;
    delete started[index];
  }
}
