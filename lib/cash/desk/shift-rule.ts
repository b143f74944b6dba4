import type { Staff } from '#lib/access/actor.ts';
import { companies } from '#lib/people/company/record.ts';
import { ShiftSettings } from '#lib/people/company/settings.ts';
import { findRecord } from '#lib/records/record.ts';
import { PLATFORM } from '#lib/table/keys.ts';
import { refuse } from '#lib/values/refusal.ts';
import type { Instant } from '#lib/values/time.ts';
import type { DeskMoney } from './money.ts';
import type { DeskState } from './read.ts';

/**
 * Requires the open shift that a sale desk needs for its money to move, if its company works with shifts.
 * Whatever moves a desk's money asks this of the money that it is about to write: `deskMoneyWrite` guards its
 * version, so a shift that is closed meanwhile is noticed. 400 without one. Decisions, 9 (44). No round trip
 * at a desk of the caller's own company, or if a shift is open.
 */
export async function requireShift(actor: Staff, { company_id, type, money }: DeskState): Promise<void> {
  if (type === 'main' || money.shift) return;
  if (await hasShifts(actor, company_id)) throw refuse('shift.required');
}

/** Refuses a sale in a shift whose hours are over, if it is one that blocks. Decisions, 9 (49). */
export function requireInTime({ shift }: DeskMoney, at: Instant): void {
  if (shift?.overdue_action !== 'block' || shift.closes_at === null) return;
  if (at >= shift.closes_at) throw refuse('shift.overdue');
}

/** Tells whether a company works with shifts. */
export async function hasShifts(actor: Staff, companyId: number): Promise<boolean> {
  if (companyId === actor.companyId && actor.hasShifts !== undefined) return actor.hasShifts;
  return (await shiftSettingsOf(companyId)).is_enabled;
}

/** Reads the shift rules of a company. One round trip. */
export async function shiftSettingsOf(id: number) {
  const company = await findRecord({ type: companies, home: PLATFORM, id });
  return ShiftSettings.parse(company?.cashbox_shift_settings);
}
