import { parseArgs } from 'node:util';
import { discoverWorkers } from '#infra/routes.ts';
import { Misuse, main, print } from './program/main.ts';
import { readDeadLetterQueues, returnMessages } from './redrive/dead-letters.ts';

/* Gives the messages that a stage's workers failed at back to them, once the cause is fixed. */

const NAMES = discoverWorkers().map(({ name }) => name);

const USAGE = `npm run redrive -- --stage <name> [--worker <name>]\nWorkers are ${NAMES.join(', ')}.`;

await main(USAGE, async () => {
  const { values } = parseArgs({ options: { stage: { type: 'string' }, worker: { type: 'string' } } });
  const { stage, worker } = values;
  if (!stage) throw new Misuse('Which stage?');
  if (worker !== undefined && !NAMES.includes(worker)) throw new Misuse(`There is no worker ${worker}.`);
  const queues = await readDeadLetterQueues(stage, worker === undefined ? NAMES : [worker]);
  if (queues.length === 0)
    throw new Error(`The stage ${stage} has no such queue. Is this its account and region?`);
  for (const queue of queues) {
    const count = await returnMessages(queue);
    if (count > 0 || worker) print(`${queue.worker}: ${count} messages were given back.`);
  }
  print(`${queues.length} dead-letter queues are empty.`);
});
