import type { ReachableHeader } from './entries.ts';

/** A place in the first part of a copy: after an id of one of its types. */
export interface InitialPosition {
  /** A number among the types that are copied. */
  readonly type: number;
  readonly id: number;
  /** As many of its records are to be looked at for a page, as far as is known; else 0. */
  readonly looked: number;
}

/** A place in the changes after it. */
export interface DeltaPosition {
  /** Number of a page of the feed: it is done, and all before it. */
  readonly page: number;
  /** As many entries of the next one have been, too, and as many records that the one after them tells. */
  readonly entries: number;
  readonly records: number;
}

export type SyncPosition = InitialPosition | DeltaPosition;

/** A record to be shown, and the place after it. */
export interface SyncCandidate extends ReachableHeader {
  readonly after: SyncPosition;
}

/** The records of a page, and the place after them. */
export interface SyncWindow {
  readonly candidates: readonly SyncCandidate[];
  readonly end: SyncPosition;
  /** True if nothing is left just now. */
  readonly isEnd: boolean;
}
