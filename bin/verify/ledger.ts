/** Entries that one book posts by name and others claim, each once. */
export interface Ledger<T> {
  /** False if there is an entry with this name. */
  post(name: string, entry: T): boolean;
  /** Undefined if there is none, or if it has been claimed. */
  claim(name: string): T | undefined;
  unclaimed(): Iterable<readonly [string, T]>;
}

/** Makes an empty ledger. */
export function newLedger<T>(): Ledger<T> {
  const entries = new Map<string, T>();
  return {
    post: (name, entry) => {
      if (entries.has(name)) return false;
      entries.set(name, entry);
      return true;
    },
    claim: (name) => {
      const entry = entries.get(name);
      entries.delete(name);
      return entry;
    },
    unclaimed: () => entries,
  };
}
