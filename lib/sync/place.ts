import type { FoundHead } from './entries.ts';

/** A place in the first part of a copy: after an id of one of its types. */
export interface FirstPlace {
  /** A number among the types that are copied. */
  readonly type: number;
  readonly id: number;
  /** As many of its records are to be looked at for a page, as far as is known; else 0. */
  readonly looked: number;
}

/** A place in the changes after it. */
export interface ChangePlace {
  /** Number of a page of the feed: it is done, and all before it. */
  readonly page: number;
  /** As many entries of the next one have been, too, and as many records that the one after them tells. */
  readonly entries: number;
  readonly records: number;
}

export type CopyPlace = FirstPlace | ChangePlace;

/** A record to be shown, and the place after it. */
export interface CopyCandidate extends FoundHead {
  readonly after: CopyPlace;
}

/** The records of a page, and the place after them. */
export interface Stretch {
  readonly candidates: readonly CopyCandidate[];
  readonly end: CopyPlace;
  /** True if nothing is left just now. */
  readonly isEnd: boolean;
}
