import * as z from 'zod';

/** Milliseconds since the epoch, as stored; callers see `Y-m-d H:i:s` in `TIME_ZONE`. */
export type Instant = number;

/** A calendar day in `TIME_ZONE`, `Y-m-d`. */
export type Day = string;

/** The time zone of days. */
export const ZONE = process.env['TIME_ZONE'] ?? 'Asia/Tashkent';

// The Swedish locale writes ISO dates, exactly the contract's format.
const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: ZONE,
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** Formats a timestamp for responses, `2026-11-21 10:38:00`. Part 1, "Shared conventions". */
export function renderInstant(at: Instant): string {
  return new Date(at + offsetAt(at)).toISOString().slice(0, 19).replace('T', ' ');
}

/** Converts an instant to a spreadsheet serial: days of `TIME_ZONE` since the end of 1899, to the second. */
export function serialOf(at: Instant): number {
  return Math.floor((at + offsetAt(at)) / 1000) / 86_400 + 25_569;
}

/** Returns an instant's day in `TIME_ZONE`. */
export function dayOf(at: Instant): Day {
  return renderInstant(at).slice(0, 10);
}

/** Returns the first instant of a day in `TIME_ZONE`. */
export function startOfDay(day: Day): Instant {
  return startAt(Date.parse(`${day}T00:00:00Z`));
}

/** Returns the first instant after a day in `TIME_ZONE`. */
export function endOfDay(day: Day): Instant {
  // Not by the date of the next day: that of 9999-12-31 has a five-digit year.
  return startAt(Date.parse(`${day}T00:00:00Z`) + DAY_MS);
}

function startAt(utc: number): Instant {
  const guess = utc - offsetAt(utc);
  return utc - offsetAt(guess);
}

/** Returns the same day of the month so many months later; the last day of a shorter month. */
export function monthsAfter(day: Day, months: number): Day {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0));
  last.setUTCDate(Math.min(date, last.getUTCDate()));
  return last.toISOString().slice(0, 10);
}

/** Returns the months, `Y-m`, from that of one day to that of another. */
export function monthsOf(from: Day, to: Day): string[] {
  const first = monthNumber(from);
  return Array.from({ length: monthNumber(to) - first + 1 }, (_, index) => {
    const year = Math.floor((first + index) / 12);
    return `${String(year).padStart(4, '0')}-${String(((first + index) % 12) + 1).padStart(2, '0')}`;
  });
}

function monthNumber(day: Day): number {
  const [year = 0, month = 1] = day.split('-').map(Number);
  return year * 12 + month - 1;
}

/** Returns the days from one to another; none if the second is earlier. */
export function daysOf(from: Day, to: Day): Day[] {
  return Array.from({ length: daysBetween(from, to) + 1 }, (_, index) => daysAfter(from, index));
}

/** Returns an instant's hour in `TIME_ZONE`, such as `2026-11-22 14`. */
export function hourOf(at: Instant): string {
  return renderInstant(at).slice(0, 13);
}

/** Returns the hours of the days from one to another; none if the second is earlier. */
export function hoursOf(from: Day, to: Day): string[] {
  const [start, end] = [startOfDay(from), endOfDay(to)];
  const count = Math.max(0, Math.ceil((end - start) / HOUR_MS));
  // On the day on which clocks are set back, an hour occurs twice.
  return [...new Set(Array.from({ length: count }, (_, index) => hourOf(start + index * HOUR_MS)))];
}

/** Returns the day so many days later. */
export function daysAfter(day: Day, days: number): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** Counts the days from one day to another; negative if the second is earlier. */
export function daysBetween(from: Day, to: Day): number {
  return (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

// Zone offsets are a whole number of quarters of an hour, and change at one.
const QUARTER_MS = 900_000;

// Outside, zones had odd offsets, and years without four digits can't be parsed from the output of `Intl`.
const FIRST_SUPPORTED = Date.UTC(1930, 0);
const LAST_SUPPORTED = Date.UTC(9999, 0);

/** Enough quarters for the days of a long list. */
const MAX_QUARTERS = 10_000;

const offsets = new Map<number, number>();

/**
 * Returns the zone's offset from UTC, in milliseconds. Cached: `Intl` takes longer than the rest of a
 * timestamp.
 */
function offsetAt(at: Instant): number {
  const quarter = Math.floor(Math.min(Math.max(at, FIRST_SUPPORTED), LAST_SUPPORTED) / QUARTER_MS);
  const cached = offsets.get(quarter);
  if (cached !== undefined) return cached;
  const start = quarter * QUARTER_MS;
  const offset = Date.parse(`${clock.format(start).replace(' ', 'T')}Z`) - start;
  if (offsets.size === MAX_QUARTERS) offsets.clear();
  offsets.set(quarter, offset);
  return offset;
}

/** An instant shown as `Y-m-d H:i:s`. */
export const Timestamp = z
  .codec(z.number(), z.string(), {
    decode: renderInstant,
    encode: instantOf,
  })
  .meta({ description: 'Y-m-d H:i:s' });

/** Parses a timestamp; a malformed one becomes another instant. */
function instantOf(text: string): Instant {
  const utc = Date.parse(`${text.replace(' ', 'T')}Z`);
  return Number.isNaN(utc) ? 0 : startAt(utc);
}

/** A `Y-m-d H:i:s` field, in `TIME_ZONE`. */
export const TimestampField = z
  .string()
  .refine((text) => renderInstant(instantOf(text)) === text, { error: 'validation.not_timestamp' })
  .transform(instantOf)
  .meta({ description: 'Y-m-d H:i:s' });

/** A day stored as its first instant and shown as `Y-m-d`, so that filters by period find it. */
export const CalendarDay = z
  .codec(z.number(), z.string(), { decode: dayOf, encode: startOfDay })
  .meta({ description: 'Y-m-d' });

/** A `Y-m-d` field or parameter. */
export const DayField = z.iso.date({ error: 'validation.not_date' });
