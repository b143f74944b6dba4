/**
 * Answers with what work gives, or with something else once its time is up, as API Gateway does: the function
 * is ended there, and here its answer is dropped.
 */
export async function limitTime<T>(milliseconds: number, work: Promise<T>, late: () => T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const end = new Promise<T>((resolve) => {
    timer = setTimeout(() => resolve(late()), milliseconds);
  });
  // A failure after the end is nobody's.
  work.catch(() => {});
  return Promise.race([work, end]).finally(() => clearTimeout(timer));
}
