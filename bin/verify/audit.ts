import { getRawItems } from '#lib/table/items.ts';
import type { Home, Key } from '#lib/table/keys.ts';
import { newLedger } from './ledger.ts';
import type { Occasions } from './occasions.ts';
import type { Debt, Movement, Operation, Posting } from './posts.ts';
import type { Sums } from './sums.ts';

/** A fault in the books, and the history of the records concerned. */
export interface Violation {
  /** The book with the fault, and the place in it: the same in every reading. */
  readonly book: string;
  readonly subject: string;
  readonly what: string;
  history(): Promise<readonly unknown[]>;
}

/**
 * One reading of a family's books. Books of movements are read first and post each movement to a ledger.
 * Documents are read after them and claim their movements. What nobody claims has no document.
 */
export interface Audit {
  readonly home: Home;
  readonly familyId: number;
  readonly movements: ReturnType<typeof newLedger<Movement>>;
  readonly postings: ReturnType<typeof newLedger<Posting>>;
  readonly debts: ReturnType<typeof newLedger<Debt>>;
  readonly operations: ReturnType<typeof newLedger<Operation>>;
  /** The expected sums of suppliers, by id and currency. */
  readonly owed: Sums;
  /** The expected sums of clients. */
  readonly debtors: Sums;
  /** What each debt says is repaid, less the payments that were found. */
  readonly repaid: Sums;
  /** When each client paid a debt last. */
  readonly paidAt: Map<number, number>;
  /** What each debt says that returns have closed of it, less what returns say, by sale. */
  readonly returnedDebts: Sums;
  /** Money that others passed on to each cheque, as it says, less what returns say, by sale. */
  readonly passed: Sums;
  /** Bonuses that others passed on to each cheque, as it says, less what returns say, by sale. */
  readonly inherited: Sums;
  /** The expected bonuses of clients. */
  readonly bonuses: Sums;
  /** What postings come to in each shift, by the names that `noteInShift` gives. */
  readonly tallies: Map<number, Sums>;
  /** Cheques and returns, for the shifts that counted them. */
  readonly occasions: Occasions;
  /** What went out for each line of a hold and has not come back. */
  readonly held: Sums;
  readonly counts: Map<string, number>;
  readonly violations: Violation[];
}

/** Begins a reading. */
export function newAudit(familyId: number, home: Home): Audit {
  return {
    home,
    familyId,
    movements: newLedger(),
    postings: newLedger(),
    debts: newLedger(),
    operations: newLedger(),
    owed: new Map(),
    debtors: new Map(),
    repaid: new Map(),
    paidAt: new Map(),
    returnedDebts: new Map(),
    passed: new Map(),
    inherited: new Map(),
    bonuses: new Map(),
    tallies: new Map(),
    occasions: { byName: new Map(), shiftOf: new Map() },
    held: new Map(),
    counts: new Map(),
    violations: [],
  };
}

/** Makes the history of keys: the items as they are in the table. */
export function itemsAt(...keys: readonly Key[]): Violation['history'] {
  return async () =>
    (await getRawItems(keys)).map((item, index) => item ?? { ...keys[index], is: 'not there' });
}
