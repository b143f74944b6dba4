import { countFigures, log } from './wire/log.ts';

/**
 * Logs the outcome of the gateway's payment notification. An unknown payment, or another amount than
 * requested, is not credited: an error for operators to investigate. Contract 9.56; Contract 9.67.
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
