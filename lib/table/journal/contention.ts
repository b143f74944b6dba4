import type { Write } from '#lib/table/change/write.ts';
import { Overtaken } from '#lib/table/overtaken.ts';

/** A concurrent change of data between its read and the write. */
export class Contention extends Overtaken {
  /**
   * Checks of the items to lock before they are read again: those of a large transaction, which could
   * otherwise lose the race forever.
   */
  readonly items: readonly Write[];

  constructor(items: readonly Write[] = []) {
    super('What was read has changed');
    this.items = items;
  }
}

/**
 * A missing item that the data read implies, also contention: while a transaction is being committed, readers
 * of several items may see some before others (`read/get.ts`, `getSettled`).
 */
export class NotYet extends Contention {
  override message = 'What must be there is not seen yet';
}

/** An item held by a running stocktake's standing lock: read the item again rather than wait. */
export class HeldByStandingLock extends Contention {}

/** A younger journal's yield to an older one: retry with the same age. */
export class YieldedToOlder extends Error {}

/** A failure of write conditions in a journal. */
export class ConditionsFailed extends Error {}
