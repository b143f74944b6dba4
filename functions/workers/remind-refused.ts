import { Scheduled, worker } from '#lib/http/worker.ts';
import { remindAll } from '#lib/trade/refused/remind.ts';

/** Notifies directors each morning of refused offline sales. */
export const handler = worker({
  message: Scheduled,
  every: 'morning',
  run: ({ at }) => remindAll(at),
});
