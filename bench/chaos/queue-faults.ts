import { createHash, randomUUID } from 'node:crypto';
import * as z from 'zod';
import type { SeededRandom } from '#bench/support/random.ts';
import { INDEX_WORKER } from '#lib/queues/queue.ts';
import { delay, dropAnswer, dropRequest, errorAnswer, type Fault, repeatLater } from './fault.ts';
import type { WireCall } from './table-call.ts';

/*
 * What goes wrong between a process and its queues. SQS hands over at least once what it has acknowledged:
 * late, again, in any order, but it loses nothing. What is only there to make lists quick is lost here, too.
 */

/** A fault at queues, the share of calls that it strikes, and which these may be. */
interface QueueFault {
  readonly name: string;
  readonly fault: Fault;
  readonly share: number;
  readonly at: (call: WireCall) => boolean;
}

/** How late a second copy comes, and how late an answer. */
const AGAIN_MS = 2_500;
const SLOW_MS = 900;

/** As long as a message waits at most, beyond what it was to wait. */
const LATE_S = 20;

const isSent = ({ operation }: WireCall) => operation === 'SendMessage';
const isRemoved = ({ operation }: WireCall) => operation === 'DeleteMessage';

const Sent = z.object({
  QueueUrl: z.string(),
  MessageBody: z.string(),
  DelaySeconds: z.int().default(0),
});

/** Tells messages that nothing depends on: reports and lists are right without them. */
const isDispensable = (call: WireCall) =>
  isSent(call) && Sent.parse(call.input).QueueUrl.endsWith(`/${INDEX_WORKER}`);

/** Makes the faults at queues, for the chance of a process. */
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

/** Refuses a message for good, so that the SDK does not send it once more. */
export const refuseMessage: Fault = async ({ answer }) => answer(errorAnswer('AccessDeniedException'));

/** Acknowledges a message, and hands it over later than it should be. */
export function handOverOffline(chance: SeededRandom): Fault {
  return async ({ call, ask, answer }) => {
    const { DelaySeconds } = Sent.parse(call.input);
    const offline = DelaySeconds + chance.between(1, LATE_S);
    answer(await ask(call.operation, { ...call.input, DelaySeconds: offline }));
  };
}

/** Acknowledges a message that nobody ever gets. */
export const loseMessage: Fault = async ({ call, answer }) => {
  const told = {
    MessageId: randomUUID(),
    // The SDK compares it with what it has sent.
    MD5OfMessageBody: createHash('md5').update(Sent.parse(call.input).MessageBody).digest('hex'),
  };
  const headers = { 'content-type': 'application/x-amz-json-1.0' };
  answer({ status: 200, headers, body: Buffer.from(JSON.stringify(told)) });
};
