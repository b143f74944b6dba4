import type { Write } from '#lib/table/change/write.ts';
import { Overtaken } from '#lib/table/overtaken.ts';

/** A change, by someone else, of what was read before it could be written. */
export class Contention extends Overtaken {
  /**
   * Checks of the items to take before they are read again: those of a large transaction, which could be
   * overtaken for ever.
   */
  readonly items: readonly Write[];

  constructor(items: readonly Write[] = []) {
    super('What was read has changed');
    this.items = items;
  }
}

/**
 * An absence of what must be there by what was read, which is contention too. Of a transaction that is being
 * committed, readers of several items may see some before others (`read/get.ts`, `getSettled`).
 */
export class NotYet extends Contention {
  override message = 'What must be there is not seen yet';
}

/** A lock, on an item, of a count that goes on: the item is to be read again, not to be waited for. */
export class HeldByStandingLock extends Contention {}

/** A refusal of a younger journal by an older one: it is to be tried again under the same age. */
export class YieldedToOlder extends Error {}

/** A failure of the guards of some of a journal's writes. */
export class ConditionsFailed extends Error {}
