import { Scheduled, worker } from '#lib/http/worker.ts';
import { remindAll } from '#lib/trade/refused/remind.ts';

/** Tells directors each morning that late sales wait which were refused. */
export const handler = worker({
  message: Scheduled,
  every: 'morning',
  run: ({ at }) => remindAll(at),
});
