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
