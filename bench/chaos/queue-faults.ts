import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { SeededRandom } from '#bench/support/random.ts';
import { INDEX_WORKER } from '#lib/queues/queue.ts';
import { delay, dropAnswer, dropRequest, errorAnswer, type Fault, repeatLater } from './fault.ts';
import type { WireCall } from './table-call.ts';

/*
 * Faults between a process and its queues. SQS delivers acknowledged messages at least once: late, again, in
 * any order, but it loses none. Messages that only make lists faster are lost here as well.
 */

/** Fault of queues, its share of calls, and its filter. */
interface QueueFault {
  readonly name: string;
  readonly fault: Fault;
  readonly share: number;
  readonly at: (call: WireCall) => boolean;
}

/** Delay of a second copy, and of a slow response. */
const AGAIN_MS = 2_500;
const SLOW_MS = 900;

/** Maximum additional delay of a message. */
const LATE_S = 20;

const isSent = ({ operation }: WireCall) => operation === 'SendMessage';
const isRemoved = ({ operation }: WireCall) => operation === 'DeleteMessage';

const Sent = z.object({
  QueueUrl: z.string(),
  MessageBody: z.string(),
  DelaySeconds: z.int().default(0),
});

/** Matches optional messages: reports and lists are correct without them. */
const isDispensable = (call: WireCall) =>
  isSent(call) && Sent.parse(call.input).QueueUrl.endsWith(`/${INDEX_WORKER}`);

/** Returns the faults of queues, for the random numbers of a process. */
export function queueFaults(chance: SeededRandom): readonly QueueFault[] {
  return [
    { name: 'message refused', fault: refuseMessage, share: 0.05, at: isSent },
    { name: 'message: request lost', fault: dropRequest, share: 0.04, at: isSent },
    { name: 'message: sent, answer lost', fault: dropAnswer, share: 0.04, at: isSent },
    { name: 'message handed over twice', fault: repeatLater(AGAIN_MS), share: 0.1, at: isSent },
    { name: 'message late', fault: handOverOffline(chance), share: 0.1, at: isSent },
    { name: 'message slow', fault: delay(SLOW_MS), share: 0.03, at: isSent },
    { name: 'message lost', fault: loseMessage, share: 0.1, at: isDispensable },
    { name: 'removal of a message lost', fault: dropRequest, share: 0.05, at: isRemoved },
  ];
}

/** Rejects a message permanently, so that the SDK does not retry it. */
export const refuseMessage: Fault = async ({ answer }) => answer(errorAnswer('AccessDeniedException'));

/** Acknowledges a message, and delivers it later than it should be. */
export function handOverOffline(chance: SeededRandom): Fault {
  return async ({ call, ask, answer }) => {
    const { DelaySeconds } = Sent.parse(call.input);
    const offline = DelaySeconds + chance.between(1, LATE_S);
    answer(await ask(call.operation, { ...call.input, DelaySeconds: offline }));
  };
}

/** Acknowledges a message that is never delivered. */
export const loseMessage: Fault = async ({ call, answer }) => {
  const response = {
    MessageId: randomUUID(),
    // The SDK compares it with the body it has sent.
    MD5OfMessageBody: createHash('md5').update(Sent.parse(call.input).MessageBody).digest('hex'),
  };
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  answer({ status: 200, headers, body: Buffer.from(JSON.stringify(response)) });
};
