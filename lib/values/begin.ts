/**
 * Begins work that is awaited later. A failure before that is nobody's yet, and must not end the process:
 * whoever awaits the work is told of it. Nothing is begun otherwise (`tests/house/begun.test.ts`).
 */
export function begin<T>(work: Promise<T>): Promise<T> {
  work.catch(() => undefined);
  return work;
}
