import type * as z from 'zod';
import type { ShiftSettings } from '#lib/people/company/settings.ts';
import { dayOf, endOfDay, type Instant, startOfDay } from '#lib/values/time.ts';

/** The end of a shift's working hours, and what happens then. */
interface Limit {
  /** Null without a limit. */
  readonly closes_at: Instant | null;
  readonly overdue_action: 'remind' | 'block' | null;
}

/**
 * Finds when the working hours end of a shift that is opened at `at`: at the first `working_hours_to`
 * after it, which may be tomorrow. Decisions, 9 (49); Decisions, 9 (72).
 */
export function limitOf(settings: z.output<typeof ShiftSettings>, at: Instant): Limit {
  const { is_working_hours_enabled, is_round_the_clock, working_hours_to: to, overdue_action } = settings;
  if (!is_working_hours_enabled || is_round_the_clock || to === null) {
    return { closes_at: null, overdue_action: null };
  }
  const day = dayOf(at);
  const [hours = 0, minutes = 0] = to.split(':').map(Number);
  const sinceMidnight = (hours * 60 + minutes) * 60_000;
  const today = startOfDay(day) + sinceMidnight;
  return { closes_at: today > at ? today : endOfDay(day) + sinceMidnight, overdue_action };
}
