import { begin } from '#lib/values/begin.ts';

/** Does work on many things, at most `most` at once; answers in their order. */
export async function sideBySide<A, B>(
  all: readonly A[],
  most: number,
  work: (each: A) => Promise<B>,
): Promise<B[]> {
  const results: B[] = [];
  const waiting = all.entries();
  const worker = async () => {
    for (const [index, each] of waiting) results[index] = await work(each);
  };
  await Promise.all(Array.from({ length: Math.min(most, all.length) }, worker));
  return results;
}

/** Does the same and gives each answer in its turn, so that no more than so many are at hand. */
export async function* inOrder<A, B>(
  all: readonly A[],
  most: number,
  work: (each: A) => Promise<B>,
): AsyncGenerator<B, undefined> {
  const begun: Promise<B>[] = [];
  for (const [index] of all.entries()) {
    for (const each of all.slice(begun.length, index + most)) {
      // If the consumer stops early, the rest is not awaited.
      begun.push(begin(work(each)));
    }
    const next = begun[index];
    if (next) yield await next;
    delete begun[index];
  }
}
