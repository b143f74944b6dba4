import { getRawItems } from '#lib/table/items.ts';
import type { Home, Key } from '#lib/table/keys.ts';
import { newLedger } from './ledger.ts';
import type { Debt, Movement, Transfer } from './posts.ts';

/** Something that does not add up, and the history of the records concerned. */
export interface Violation {
  /** The book it stands in, and what of it: the same in every reading. */
  readonly book: string;
  readonly subject: string;
  readonly what: string;
  history(): Promise<readonly unknown[]>;
}

/**
 * One reading of a family's books. The books that tell what moved are read first and post each movement to a ledger;
 * the documents are read after them and claim what is theirs. What nobody claims has no document.
 */
export interface Audit {
  readonly home: Home;
  readonly familyId: number;
  readonly movements: ReturnType<typeof newLedger<Movement>>;
  readonly transfers: ReturnType<typeof newLedger<Transfer>>;
  readonly debts: ReturnType<typeof newLedger<Debt>>;
  /** What has to stand in suppliers' sums, by id and currency. */
  readonly owed: Sums;
  /** What has to stand in clients' sums. */
  readonly debtors: Sums;
  readonly counts: Map<string, number>;
  readonly violations: Violation[];
}

/** Sums by whose they are and of what. */
type Sums = Map<string, number>;

/** Items that hold sums, by whose they are. */
export type SumsItems = ReadonlyMap<number, Readonly<Record<string, unknown>>>;

/** Begins a reading. */
export function newAudit(familyId: number, home: Home): Audit {
  return {
    home,
    familyId,
    movements: newLedger(),
    transfers: newLedger(),
    debts: newLedger(),
    owed: new Map(),
    debtors: new Map(),
    counts: new Map(),
    violations: [],
  };
}

/** Adds to a number of a map. */
export function addTo(sums: Map<string, number>, name: string, change: number): void {
  sums.set(name, (sums.get(name) ?? 0) + change);
}

/** The history of what stands at keys: the items as they are in the table. */
export function itemsAt(...keys: readonly Key[]): Violation['history'] {
  return async () =>
    (await getRawItems(keys)).map((item, index) => item ?? { ...keys[index], is: 'not there' });
}
