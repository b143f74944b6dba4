import { Construct } from 'constructs';
import { WORK_TIME } from '#infra/resources/queues.ts';
import type { WorkerFunction } from '#infra/worker-functions.ts';
import { addFunction } from './function.ts';
import { needsOfWorker } from './needs.ts';
import type { Resources } from './resources.ts';

/** How many batches of a queue are worked on at once. */
const MOST_AT_ONCE = 10;

/** Adds a function for each worker, triggered by the queue of its name. */
export function addWorkers(scope: Construct, workers: readonly WorkerFunction[], resources: Resources): void {
  const parts = new Construct(scope, 'Workers');
  for (const worker of workers) {
    const work = resources.queues.get(worker.name);
    if (!work) throw new Error(`The worker ${worker.name} has no queue`);
    const target = addFunction(
      parts,
      worker.name,
      {
        description: `Works off the queue ${worker.name}`,
        bundle: worker.file,
        handler: 'handler',
        needs: needsOfWorker(worker, work.queue, resources),
        timeout: WORK_TIME,
        callsItself: worker.uses.includes(`queue:${worker.name}`),
      },
      resources,
    );
    target.addEventSourceMapping('Messages', {
      eventSourceArn: work.queue.queueArn,
      reportBatchItemFailures: true,
      // However long the queue, callers find functions free.
      maxConcurrency: MOST_AT_ONCE,
    });
  }
}
