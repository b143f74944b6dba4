import type { Key } from '#lib/table/keys.ts';

/** A change, by someone else, of what was read before it could be written. */
export class Contention extends Error {
  /**
   * Items to take before they are read again: those of a large transaction, which could be overtaken for
   * ever.
   */
  readonly keys: readonly Key[];

  constructor(keys: readonly Key[] = []) {
    super('What was read has changed');
    this.keys = keys;
  }
}

/** A lock, on an item, of a count that goes on: the item is to be read again, not to be waited for. */
export class Withheld extends Contention {}

/** A refusal of a younger journal by an older one: it is to be tried again under the same age. */
export class GaveWay extends Error {}

/** A failure of the guards of some of a journal's writes. */
export class GuardsFailed extends Error {}
