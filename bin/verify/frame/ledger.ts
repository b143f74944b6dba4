/** Entries that one book posts by name, and to which documents are tied, each once. */
export class Ledger<T extends object> {
  readonly #entries = new Map<string, T>();

  /** False if there is an entry with this name. */
  post(name: string | number, entry: T): boolean {
    if (this.#entries.has(String(name))) return false;
    this.#entries.set(String(name), entry);
    return true;
  }

  get(name: string | number): T | undefined {
    return this.#entries.get(String(name));
  }

  /** Ties a document to an entry; undefined if there is none, or if another document has been tied to it. */
  tie(name: string | number): T | undefined {
    const entry = this.get(name);
    this.#entries.delete(String(name));
    return entry;
  }

  /** Lists the entries without a document, which may be tied meanwhile. */
  withoutDocument(): (readonly [name: string, T])[] {
    return [...this.#entries];
  }
}

/** Checks whether an entry is what a document says of it. What costs nothing may be said to cost -0. */
export function agrees<T extends object>(entry: T | undefined, said: Partial<NoInfer<T>>): boolean {
  if (!entry) return false;
  const values = new Map<string, unknown>(Object.entries(entry));
  return Object.entries(said).every(([name, value]) => values.get(name) === value);
}
