import type { ReachableHeader } from './entries.ts';

/** Position in an initial sync: after an id of one of its types. */
export interface InitialPosition {
  /** Index among the synced types. */
  readonly type: number;
  readonly id: number;
  /** Estimated records to scan for a page; 0 if unknown. */
  readonly looked: number;
}

/** Position in the changes. */
export interface DeltaPosition {
  /** Last completed page of the feed. */
  readonly page: number;
  /** Completed entries of the next page, and completed records of the entry after them. */
  readonly entries: number;
  readonly records: number;
}

export type SyncPosition = InitialPosition | DeltaPosition;

/** A record to show, and the position after it. */
export interface SyncCandidate extends ReachableHeader {
  readonly after: SyncPosition;
}

/** Records of a page, and the position after them. */
export interface SyncWindow {
  readonly candidates: readonly SyncCandidate[];
  readonly end: SyncPosition;
  /** True if nothing is left at the moment. */
  readonly isEnd: boolean;
}
