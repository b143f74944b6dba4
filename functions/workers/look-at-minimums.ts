import { Scheduled, worker } from '#lib/http/worker.ts';
import { lookAtMinimums } from '#lib/platform/notices/below-minimum.ts';

/** Notifies of products whose free quantity has come under their minimum. */
export const handler = worker({
  message: Scheduled,
  every: 'hour',
  run: ({ at }) => lookAtMinimums(at),
});
