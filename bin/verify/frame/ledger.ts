/** Sums by name. A missing name is zero. */
export class NamedSums extends Map<string, number> {
  add(name: string | number, change: number): void {
    this.set(String(name), this.of(name) + change);
  }

  of(name: string | number): number {
    return this.get(String(name)) ?? 0;
  }
}

/** Returns the sums of an owner, initially none. */
export function sumsBy<K>(all: Map<K, NamedSums>, owner: K): NamedSums {
  const sums = all.get(owner) ?? new NamedSums();
  all.set(owner, sums);
  return sums;
}

/** Returns a fault unless a condition holds. */
export function faultUnless(isRight: boolean, fault: string): string[] {
  return isRight ? [] : [fault];
}

/** Entries that one book posts by name, and to which documents are tied, each once. */
export class Ledger<T extends object> {
  readonly #entries = new Map<string, T>();

  /** False if an entry with this name exists. */
  post(name: string | number, entry: T): boolean {
    if (this.#entries.has(String(name))) return false;
    this.#entries.set(String(name), entry);
    return true;
  }

  get(name: string | number): T | undefined {
    return this.#entries.get(String(name));
  }

  /** Ties a document to an entry; undefined if it does not exist, or is tied to another document. */
  tie(name: string | number): T | undefined {
    const entry = this.get(name);
    this.#entries.delete(String(name));
    return entry;
  }

  /** Ties a document to an entry that must match it; returns the faults. */
  match(name: string | number, expected: Partial<NoInfer<T>>, fault: string, missing = fault): string[] {
    const entry = this.tie(name);
    if (!entry) return [missing];
    return matchesDocument(entry, expected) ? [] : [`${fault}: ${JSON.stringify(entry)}`];
  }

  /** Lists the entries without a document at this point. */
  withoutDocument(): (readonly [name: string, T])[] {
    return [...this.#entries];
  }
}

/** Checks whether an entry matches its document. A zero cost may be -0. */
export function matchesDocument<T extends object>(
  entry: T | undefined,
  expected: Partial<NoInfer<T>>,
): boolean {
  if (!entry) return false;
  const values = new Map<string, unknown>(Object.entries(entry));
  return Object.entries(expected).every(([name, value]) => values.get(name) === value);
}
