/** Sums by owner and kind. */
export type Sums = Map<string, number>;

/** Items that hold sums, by their owners. */
export type SumsItems = ReadonlyMap<number, Readonly<Record<string, unknown>>>;

/** Adds to a number of a map. */
export function addTo(sums: Map<string, number>, name: string, change: number): void {
  sums.set(name, (sums.get(name) ?? 0) + change);
}
