import { Scheduled, worker } from '#lib/http/worker.ts';
import { startRepricings } from '#lib/trade/repricing/start.ts';

/** Makes planned repricings whose time has come. */
export const handler = worker({
  message: Scheduled,
  every: 'minute',
  run: ({ at }) => startRepricings(at),
});
