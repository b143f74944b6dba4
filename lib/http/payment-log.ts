import { countFigures, log } from './wire/log.ts';

/**
 * Writes to the log what became of the gateway's word on a payment. Nothing was credited for one that we
 * don't know or of another amount than was asked for: that is an error, for people to look at. Contract 9.56;
 * Contract 9.67.
 */
export function logOutcome(external_id: string, outcome: string): void {
  const isAlarm = outcome === 'other amount' || outcome === 'unknown';
  log({
    level: isAlarm ? 'error' : 'info',
    message: isAlarm ? 'payment not credited' : 'payment ended',
    external_id,
    outcome,
    ...(isAlarm && countFigures({ counts: { payments_not_credited: 1 } }, Date.now())),
  });
}
