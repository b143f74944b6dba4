/** Picks the fields that were sent: an empty field of a form is present with the value undefined. */
export function pickSent(changes: object = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
