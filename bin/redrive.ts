import { parseArgs } from 'node:util';
import { discoverWorkers } from '#infra/routes.ts';
import { giveBack, readDeadLetterQueues } from './redrive/dead-letters.ts';

/* Gives the messages that a stage's workers failed at back to them, once the cause is mended. */

const USAGE = 'npm run redrive -- --stage <name> [--worker <name>]\n';

const { values } = parseArgs({ options: { stage: { type: 'string' }, worker: { type: 'string' } } });
const { stage, worker } = values;
const names = discoverWorkers().map(({ name }) => name);
if (!stage || (worker !== undefined && !names.includes(worker))) {
  process.stderr.write(`${USAGE}Workers are ${names.join(', ')}.\n`);
  process.exit(1);
}

const queues = await readDeadLetterQueues(stage, worker === undefined ? names : [worker]);
if (queues.length === 0) {
  process.stderr.write(`The stage ${stage} has no such queue. Is this its account and region?\n`);
  process.exit(1);
}
for (const queue of queues) {
  const count = await giveBack(queue);
  if (count > 0 || worker) process.stdout.write(`${queue.worker}: ${count} messages were given back.\n`);
}
process.stdout.write(`${queues.length} dead-letter queues are empty.\n`);
