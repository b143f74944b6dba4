import type { Actor, Area, AreaActors, Staff, StaffAtDesk } from '#lib/access/actor.ts';

/**
 * The callers of an operation: the holders of a right, staff of any role, everyone who is signed in, the
 * holder of a POS token even if its session has ended, another system with a key, the payment gateway by its
 * signature, or anyone. Decisions, 3; Decisions, 9 (56).
 */
export type Right =
  | `${Area}.${string}`
  | 'staff'
  | 'signed-in'
  | 'at-desk'
  | 'external'
  | 'gateway'
  | 'anyone';

/** The caller of an operation with this right. */
export type CallerWith<R extends Right> = R extends `${infer A extends Area}.${string}`
  ? AreaActors[A]
  : R extends 'staff' | 'external'
    ? Staff
    : R extends 'signed-in'
      ? Actor
      : R extends 'at-desk'
        ? StaffAtDesk
        : undefined;

/** An operation, as far as it decides who may call it. */
export interface Access {
  readonly right: Right;
  /** Another right that opens the operation too. */
  readonly orRight?: Right;
  /** Set if staff of a company that is deleted or blocked may call it too: what pays a debt does. */
  readonly evenInactive?: true;
}
