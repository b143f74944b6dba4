import type { Deprecation } from '#lib/http/definition/definition.ts';
import { type Day, startOfDay } from '#lib/values/time.ts';
import type { CallRequest, Step } from './call-log.ts';

/**
 * Adds `Deprecation` (RFC 9745) and `Sunset` (RFC 8594) to every response of a deprecated operation. Part 5,
 * 5B.13, 3.
 */
export function deprecationHeaders({ deprecated }: { readonly deprecated?: Deprecation }): Step {
  const headers = deprecated ? headersOf(deprecated) : {};
  const add = ({ response }: CallRequest) => {
    Object.assign(response?.headers ?? {}, headers);
  };
  return { after: add, onError: add };
}

function headersOf({ since, until }: Deprecation) {
  return { deprecation: `@${secondsAt(since)}`, sunset: new Date(startOfDay(until)).toUTCString() };
}

function secondsAt(day: Day): number {
  return Math.floor(startOfDay(day) / 1000);
}
