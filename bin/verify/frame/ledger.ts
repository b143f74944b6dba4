/** Sums by name. One to which nothing was added is zero. */
export class NamedSums extends Map<string, number> {
  add(name: string | number, change: number): void {
    this.set(String(name), this.of(name) + change);
  }

  of(name: string | number): number {
    return this.get(String(name)) ?? 0;
  }
}

/** Gives the sums of an owner, which begin without any. */
export function sumsBy<K>(all: Map<K, NamedSums>, owner: K): NamedSums {
  const sums = all.get(owner) ?? new NamedSums();
  all.set(owner, sums);
  return sums;
}

/** Names a fault unless all is right. */
export function faultUnless(isRight: boolean, fault: string): string[] {
  return isRight ? [] : [fault];
}

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

  /** Ties a document to an entry that must be as it says; answers with what is wrong. */
  match(name: string | number, said: Partial<NoInfer<T>>, fault: string, missing = fault): string[] {
    const entry = this.tie(name);
    if (!entry) return [missing];
    return matchesDocument(entry, said) ? [] : [`${fault}: ${JSON.stringify(entry)}`];
  }

  /** Lists the entries without a document, which may be tied meanwhile. */
  withoutDocument(): (readonly [name: string, T])[] {
    return [...this.#entries];
  }
}

/** Checks whether an entry is what a document says of it. What costs nothing may be said to cost -0. */
export function matchesDocument<T extends object>(entry: T | undefined, said: Partial<NoInfer<T>>): boolean {
  if (!entry) return false;
  const values = new Map<string, unknown>(Object.entries(entry));
  return Object.entries(said).every(([name, value]) => values.get(name) === value);
}
