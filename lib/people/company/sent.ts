/** Picks what was given: a field that a form leaves empty is there, and undefined. */
export function pickSent(changes: object = {}): Record<string, unknown> {
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}
