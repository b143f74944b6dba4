import { withinReachOf } from '#lib/auth/account-manager.ts';
import { hasRight, type Staff } from '#lib/auth/actor.ts';
import { type Expression, eitherSide, equals } from '#lib/table/expression.ts';

/** Right to see all shifts of the desks open to the user. Contract 9.141. */
export const ALL_SHIFTS = 'company.trade.cashbox-shift.all';

/** Checks whether a caller sees other users' shifts. An API key always does: it opens none itself. */
export function seesAllShifts(actor: Staff): boolean {
  return actor.type !== 'employee' || hasRight(actor, ALL_SHIFTS);
}

/**
 * Returns the conditions of the shifts visible to a caller: their own, and with the right all of their desks.
 */
export function shiftsSeenBy(actor: Staff): Expression[] {
  if (!seesAllShifts(actor)) return ownShifts(actor);
  const ofDesks = withinReachOf(actor, actor.cashDesks, 'cashbox_id');
  return actor.type === 'employee' ? eitherSide(ownShifts(actor), ofDesks) : ofDesks;
}

/**
 * Returns the conditions of the shifts that a caller may close: their own, or all for a director.
 * Contract 9.46.
 */
export function shiftsClosedBy(actor: Staff): Expression[] {
  return actor.type === 'director' ? withinReachOf(actor) : ownShifts(actor);
}

function ownShifts({ id }: Staff): Expression[] {
  return [equals('creator_id', id)];
}
