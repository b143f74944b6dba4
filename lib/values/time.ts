import * as z from 'zod';

/** Milliseconds since the epoch. The table holds these; callers see `Y-m-d H:i:s` in `TIME_ZONE`. */
export type Instant = number;

/** A calendar day in `TIME_ZONE`, `Y-m-d`. */
export type Day = string;

const ZONE = process.env['TIME_ZONE'] ?? 'Asia/Tashkent';

// The Swedish locale writes dates as ISO does, which is the contract's format to the letter.
const clock = new Intl.DateTimeFormat('sv-SE', {
  timeZone: ZONE,
  dateStyle: 'short',
  timeStyle: 'medium',
});

/** `2026-11-21 10:38:00`: how every timestamp leaves the service. Part 1, "Shared conventions". */
export function renderInstant(at: Instant): string {
  return clock.format(at);
}

/** The day in `TIME_ZONE` that an instant falls on. */
export function dayOf(at: Instant): Day {
  return renderInstant(at).slice(0, 10);
}

/** The first instant of a day in `TIME_ZONE`. */
export function startOfDay(day: Day): Instant {
  const utc = Date.parse(`${day}T00:00:00Z`);
  const guess = utc - offsetAt(utc);
  return utc - offsetAt(guess);
}

/** The first instant after a day in `TIME_ZONE`. */
export function endOfDay(day: Day): Instant {
  return startOfDay(nextDay(day));
}

function nextDay(day: Day): Day {
  return new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
}

function offsetAt(at: Instant): number {
  return Date.parse(`${renderInstant(at).replace(' ', 'T')}Z`) - Math.floor(at / 1000) * 1000;
}

/** Held as an `Instant`, shown as `Y-m-d H:i:s`. */
export const Timestamp = z
  .codec(z.number(), z.string(), {
    decode: renderInstant,
    encode: (text) => startOfDay(text.slice(0, 10)) + timeOfDay(text.slice(11)),
  })
  .meta({ description: 'Y-m-d H:i:s' });

function timeOfDay(text: string): number {
  return Date.parse(`1970-01-01T${text}Z`);
}

/** A `Y-m-d` field or parameter. */
export const DayField = z.iso.date({ error: 'validation.date' });
