import { getRawItems } from '#lib/table/items.ts';
import { familyTenant, type Key, recordKey, type Tenant } from '#lib/table/keys.ts';
import { Entries } from './entries.ts';
import { GoodsByCost } from './goods-by-cost.ts';
import { NamedSums } from './ledger.ts';

/** A fault in the books, with the history of the records concerned. */
export interface Violation {
  /** The book with the fault, and the place in it: equal in every reading. */
  readonly book: string;
  readonly subject: string;
  readonly what: string;
  history(): Promise<readonly unknown[]>;
}

/** Outcome of a check: counts of checked records, and faults. */
export interface Findings {
  readonly counts: ReadonlyMap<string, number>;
  readonly violations: readonly Violation[];
}

/** Subject of a fault. Its history is the items at its keys, and further facts. */
interface Subject {
  readonly book: string;
  readonly subject: string;
  readonly keys: readonly Key[];
  readonly further?: readonly unknown[];
}

/** One reading of a family's books: its findings, and the entries that documents are tied to. */
export class Books extends Entries implements Findings {
  readonly familyId: number;
  readonly tenant: Tenant;
  readonly counts = new NamedSums();
  readonly violations: Violation[] = [];
  readonly goodsByCost = new GoodsByCost();

  constructor(familyId: number) {
    super();
    this.familyId = familyId;
    this.tenant = familyTenant(familyId);
  }

  count(what: string, more = 1): void {
    this.counts.add(what, more);
  }

  report({ book, subject, keys, further = [] }: Subject, faults: readonly string[]): void {
    const history = async () => [...(await itemsAt(keys)), ...further];
    this.violations.push(...faults.map((what) => ({ book, subject, what, history })));
  }

  /** Reports faults of a record, with others that belong to its history. */
  reportRecord(
    { book, noun, type, id }: RecordName,
    faults: readonly string[],
    others: readonly Key[] = [],
  ): void {
    const keys = [recordKey(type, this.tenant, Number(id)), ...others];
    this.report({ book, subject: `${noun} ${id}`, keys }, faults);
  }
}

/** A record by its book and its noun: `shifts`, `shift`. */
interface RecordName {
  readonly book: string;
  readonly noun: string;
  readonly type: string;
  readonly id: number | string;
}

async function itemsAt(keys: readonly Key[]): Promise<unknown[]> {
  return (await getRawItems(keys)).map((item, index) => item ?? { ...keys[index], is: 'not there' });
}
