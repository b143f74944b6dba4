import { withinReachOf } from '#lib/auth/account-manager.ts';
import { hasRight, type Staff } from '#lib/auth/actor.ts';
import { type Expression, eitherSide, equals } from '#lib/table/expression.ts';

/** The right to see all shifts of the desks that are open to its holder. Contract 9.141. */
const ALL_SHIFTS = 'company.trade.cashbox-shift.all';

/** Tells whether a caller sees others' shifts: a program's key opens none, so that it would see none. */
export function seesAllShifts(actor: Staff): boolean {
  return actor.type !== 'employee' || hasRight(actor, ALL_SHIFTS);
}

/** Gives what holds of the shifts that a caller sees: their own, and all of their desks with the right. */
export function shiftsSeenBy(actor: Staff): Expression[] {
  if (!seesAllShifts(actor)) return ownShifts(actor);
  const ofDesks = withinReachOf(actor, actor.cashDesks, 'cashbox_id');
  return actor.type === 'employee' ? eitherSide(ownShifts(actor), ofDesks) : ofDesks;
}

/** Gives what holds of the shifts that a caller may close: their own, a director all. Contract 9.46. */
export function shiftsClosedBy(actor: Staff): Expression[] {
  return actor.type === 'director' ? withinReachOf(actor) : ownShifts(actor);
}

function ownShifts({ id }: Staff): Expression[] {
  return [equals('creator_id', id)];
}
