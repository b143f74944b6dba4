import { countFigures, log } from './wire/log.ts';

/**
 * Writes to the log how long ago the last pulse was sent that has come through the table's stream. Alarms
 * look at it, as a stream that nobody follows tells nothing of itself: Lambda measures the age of what it
 * follows once a batch of it is done.
 */
export function logPulse(feed_lag: number): void {
  const figures = countFigures({ counts: {}, milliseconds: { feed_lag } }, Date.now());
  log({ level: 'info', message: 'pulse', feed_lag, ...figures });
}
