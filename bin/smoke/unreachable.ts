/** Tells whether nobody has answered: the error is none of the service's, but of the way there. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.message === 'fetch failed' || isUnreachable(error.cause);
}
