import * as z from 'zod';
import type { Route } from '#infra/routes.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { type Instant, Timestamp } from '#lib/values/time.ts';

/** Clock of the service: the machine's time, or one that was set and runs on from there. */
export type LocalClock = ReturnType<typeof newClock>;

/** A minute in `TIME_ZONE`, `2026-12-01T10:00`. */
const Minute = z.iso.datetime({ local: true, precision: -1, error: 'validation.wrong_format' });

/** Returns the instant at which a minute begins; undefined if it is invalid. */
export function instantOf(minute: string): Instant | undefined {
  return Minute.safeParse(minute).success ? beginningOf(minute) : undefined;
}

/** Creates a clock with the machine's time. */
export function newClock() {
  let ahead = 0;
  return {
    now: (): Instant => Date.now() + ahead,
    /** Undefined for the machine's time. */
    set: (at: Instant | undefined) => {
      ahead = at === undefined ? 0 : at - Date.now();
    },
  };
}

/**
 * Returns the route `PUT /_local/clock`, which sets the clock of the local service. It is no file of
 * `functions/`, so no deployment has it. Contract 9.76.
 */
export function clockRoute(clock: LocalClock): Route {
  const PUT = endpoint({
    right: 'anyone',
    body: z.object({ now: Minute.nullable() }),
    response: z.object({ now: z.string() }),
    run: ({ body }) => {
      clock.set(body.now === null ? undefined : beginningOf(body.now));
      return { now: minuteOf(clock.now()) };
    },
  });
  return { file: '', path: '/_local/clock', endpoints: { PUT }, hasMethodOverride: true };
}

function beginningOf(minute: string): Instant {
  return z.encode(Timestamp, `${minute.replace('T', ' ')}:00`);
}

function minuteOf(at: Instant): string {
  return z.decode(Timestamp, at).slice(0, 16).replace(' ', 'T');
}
