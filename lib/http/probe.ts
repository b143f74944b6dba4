import { requireEnv } from '#lib/values/env.ts';
import { countFigures, describe, log } from './wire/log.ts';

/** Asks for a token, which the caller has not: nothing is read, and nobody's limit is used up. */
const DOOR = '/common/user/profile';
const OPENED = 401;

const PATIENCE_MS = 10_000;

/**
 * Calls the service at its public address, as a client does: name, certificate, content network and API have
 * to be there, and the function has to believe that the call came that way. An alarm looks for what this
 * counts, so it never fails by itself.
 */
export async function probe(): Promise<void> {
  const outcome = await fetch(`${requireEnv('ADDRESS')}${DOOR}`, {
    signal: AbortSignal.timeout(PATIENCE_MS),
  }).then(({ status }) => ({ status }), describe);
  const isReached = 'status' in outcome && outcome.status === OPENED;
  log({
    level: isReached ? 'info' : 'error',
    message: isReached ? 'reached' : 'not reached',
    ...outcome,
    ...(isReached && countFigures({ counts: { reached: 1 } }, Date.now())),
  });
}
