import type { Staff } from '#lib/auth/actor.ts';
import type { OpenShift } from '#lib/cash/desk/open-shift.ts';
import { familyTenant } from '#lib/table/keys.ts';
import type { Decision } from '#lib/trade/tracking-codes/claims.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { directorAs } from './family.ts';

/** Time of the decisions in tests, their family, and its director. */
export const AT = Date.parse('2026-06-01T10:00:00Z');
export const TENANT = familyTenant(1);
export const director = directorAs(1, 1);

/** Employee of the family without any rights beside those that endpoints ask for. */
export const cashier: Staff = { ...director, id: 2, type: 'employee' };

/** Fields that every stored document has. */
export const STORED_DOCUMENT = {
  ...{ id: 50, company_id: 1, creator_id: 1, impersonator_id: null },
  ...{ created_at: 0, updated_at: 0, version: 1 },
};

/** Shift of a desk without money, in which nothing has happened. */
export const OPEN_SHIFT: OpenShift = {
  ...{ id: 7, creator_id: 1, opened_at: 0, closes_at: null, overdue_action: null },
  ...{ opening_balance: {}, tallies: {}, debts: {} },
};

/**
 * Returns the codes with which a decision is refused: by field; of a refusal without fields under its status.
 * Empty if it is valid.
 */
export function codesOfRefusal(decide: () => unknown): Record<string, string> {
  try {
    decide();
    return {};
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status !== 422) return { [error.status]: error.phrase.key };
    return Object.fromEntries(Object.entries(error.fields).map(([path, { key }]) => [path, key]));
  }
}

/** Returns the codes of a decision's issues, or of its refusal, as `codesOfRefusal` does. */
export function codesOfDecision(decide: () => Decision<unknown>): Record<string, string> {
  return codesOfRefusal(() => {
    const decision = decide();
    if ('issues' in decision) throw decision.issues.refusal;
  });
}
