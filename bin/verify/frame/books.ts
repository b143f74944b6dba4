import { getRawItems } from '#lib/table/items.ts';
import { familyHome, type Home, type Key } from '#lib/table/keys.ts';
import { type Entries, newEntries } from './entries.ts';

/** A fault in the books, and the history of the records concerned. */
export interface Violation {
  /** The book with the fault, and the place in it: the same in every reading. */
  readonly book: string;
  readonly subject: string;
  readonly what: string;
  history(): Promise<readonly unknown[]>;
}

/** The outcome of a check: how much was looked at, and what is wrong. */
export interface Findings {
  readonly counts: ReadonlyMap<string, number>;
  readonly violations: readonly Violation[];
}

/** What faults are of. Its history is the items at its keys, and what else is known of it. */
interface Subject {
  readonly book: string;
  readonly subject: string;
  readonly keys: readonly Key[];
  readonly further?: readonly unknown[];
}

/** One reading of a family's books: what was found, and the entries that documents are tied to. */
export interface Books extends Findings, Entries {
  readonly familyId: number;
  readonly home: Home;
  count(what: string, more?: number): void;
  report(subject: Subject, faults: readonly string[]): void;
}

/** Begins a reading. */
export function openBooks(familyId: number): Books {
  const counts = new Map<string, number>();
  const violations: Violation[] = [];
  return {
    ...{ familyId, home: familyHome(familyId), counts, violations },
    ...newEntries(),
    count: (what, more = 1) => addTo(counts, what, more),
    report: ({ book, subject, keys, further = [] }, faults) => {
      const history = async () => [...(await itemsAt(keys)), ...further];
      violations.push(...faults.map((what) => ({ book, subject, what, history })));
    },
  };
}

/** Adds to a number of a map. */
export function addTo(sums: Map<string, number>, name: string | number, change: number): void {
  sums.set(String(name), (sums.get(String(name)) ?? 0) + change);
}

async function itemsAt(keys: readonly Key[]): Promise<unknown[]> {
  return (await getRawItems(keys)).map((item, index) => item ?? { ...keys[index], is: 'not there' });
}
