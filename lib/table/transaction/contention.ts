import type { Key } from '#lib/table/keys.ts';

/** What was read has changed before it could be written. */
export class Contention extends Error {
  /** The items to take before they are read again: those of a large transaction, which could be overtaken for ever. */
  readonly keys: readonly Key[];

  constructor(keys: readonly Key[] = []) {
    super('What was read has changed');
    this.keys = keys;
  }
}

/** An item bears the lock of a count or the like that goes on: it is to be read again, not to be waited for. */
export class Withheld extends Contention {}
