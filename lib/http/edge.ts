import { timingSafeEqual } from 'node:crypto';
import { setting } from '#lib/values/setting.ts';

/** The header by which the content network proves that a call came through it. It replaces a caller's own. */
export const ORIGIN_HEADER = 'x-origin-secret';

/** The header in which the content network tells the caller's address; nothing else may set it. */
export const VIEWER_HEADER = 'x-viewer-address';

type Headers = Readonly<Record<string, string | undefined>>;

/**
 * Finds the caller's address; undefined if the call went past the content network, and so past its firewall.
 * If no secret is set, there is no network before the functions: on a developer's machine.
 */
export function callerOf(headers: Headers, connected: string): string | undefined {
  if (process.env['ORIGIN_SECRET'] === undefined) return connected;
  const given = headers[ORIGIN_HEADER] ?? '';
  const isBelieved = [setting('ORIGIN_SECRET'), setting('ORIGIN_SECRET_BELIEVED')].some((secret) =>
    isSame(given, secret),
  );
  return isBelieved ? (headers[VIEWER_HEADER] ?? connected) : undefined;
}

function isSame(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)];
  return a.length === b.length && timingSafeEqual(a, b);
}
