import { requireEnv } from '#lib/values/env.ts';
import { countFigures, describe, log } from './wire/log.ts';

/** Needs a token, which the probe does not send: no data is read, and no rate limit is consumed. */
const PROTECTED_PATH = '/common/user/profile';
const UNAUTHENTICATED = 401;

const TIMEOUT_MS = 10_000;

/**
 * Calls the service at its public address, as a client does: DNS, certificate, CloudFront and API must work,
 * and the function must accept the call as one through CloudFront. An alarm watches the metric, so the
 * function itself never fails.
 */
export async function probe(): Promise<void> {
  const outcome = await fetch(`${requireEnv('ADDRESS')}${PROTECTED_PATH}`, {
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).then(({ status }) => ({ status }), describe);
  const isReached = 'status' in outcome && outcome.status === UNAUTHENTICATED;
  log({
    level: isReached ? 'info' : 'error',
    message: isReached ? 'reached' : 'not reached',
    ...outcome,
    ...(isReached && countFigures({ counts: { reached: 1 } }, Date.now())),
  });
}
