import * as z from 'zod';
import { enumeration } from '#lib/values/enumeration.ts';
import { ValidationIssues } from '#lib/values/validation-issues.ts';
import { pickSent } from './sent.ts';

const HourField = z.iso.time({ precision: -1, error: 'validation.wrong_format' }).nullable();

/** The shift rules of a company's desks. Contract 9.61. */
export const ShiftSettings = z.object({
  is_enabled: z.boolean(),
  is_working_hours_enabled: z.boolean(),
  working_hours_from: HourField,
  working_hours_to: HourField,
  is_round_the_clock: z.boolean(),
  overdue_action: enumeration('shift.overdue_action', ['remind', 'block']),
});

type ShiftSettings = z.output<typeof ShiftSettings>;

/** Input to change them; absent fields are left unchanged. */
export const ShiftSettingsInput = ShiftSettings.partial();

/** The shift rules of a new company. */
export const NO_SHIFTS: ShiftSettings = {
  is_enabled: false,
  is_working_hours_enabled: false,
  working_hours_from: null,
  working_hours_to: null,
  is_round_the_clock: false,
  overdue_action: 'remind',
};

/** Changes shift settings. 422 on working hours that are to be kept and have no beginning or end. */
export function mergeShiftSettings(
  before: ShiftSettings,
  changes: z.output<typeof ShiftSettingsInput> = {},
): ShiftSettings {
  const settings = ShiftSettings.parse({ ...before, ...pickSent(changes) });
  if (!settings.is_working_hours_enabled || settings.is_round_the_clock) return settings;
  const issues = new ValidationIssues();
  for (const field of ['working_hours_from', 'working_hours_to'] as const) {
    if (settings[field] === null) issues.add(`cashbox_shift_settings.${field}`, 'validation.required');
  }
  issues.throwIfAny();
  return settings;
}
