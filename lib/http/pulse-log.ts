import { countFigures, log } from './wire/log.ts';

/**
 * Logs the age of the last heartbeat that has come through the table's stream, in milliseconds, for alarms: a
 * stream without a consumer emits no metric, since Lambda measures its age only when a batch is done.
 */
export function logPulse(feed_lag: number): void {
  const figures = countFigures({ counts: {}, milliseconds: { feed_lag } }, Date.now());
  log({ level: 'info', message: 'pulse', feed_lag, ...figures });
}
