import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '#bench/support/random.ts';
import {
  answerError,
  arriveOffline,
  delay,
  dropAnswer,
  dropRequest,
  duplicate,
  type Fault,
  repeatLater,
  stayMute,
} from './fault.ts';
import type { HalfSeen } from './half-seen.ts';
import type { Log } from './log.ts';
import type { FaultProxy } from './proxy.ts';
import { isCommit, type WireCall } from './table-call.ts';

interface NetFault {
  readonly name: string;
  readonly fault: Fault;
  readonly share: number;
  readonly at?: (call: WireCall) => boolean;
}

const isWrite = ({ isWrite }: WireCall) => isWrite;

/** Longer than the SDK waits before it tries again, shorter than a call lives. */
const LATE_MS = 900;

const FAULTS: readonly NetFault[] = [
  { name: 'commit: answer lost', fault: dropAnswer, share: 0.15, at: isCommit },
  { name: 'answer lost', fault: dropAnswer, share: 0.006, at: isWrite },
  { name: 'request lost', fault: dropRequest, share: 0.003 },
  { name: '500, not done', fault: answerError(), share: 0.002 },
  { name: '500, done', fault: answerError({ isDone: true }), share: 0.001, at: isWrite },
  { name: 'throttled', fault: answerError({ name: 'ProvisionedThroughputExceededException' }), share: 0.002 },
  { name: 'done twice at once', fault: duplicate, share: 0.002, at: isWrite },
  { name: 'done again later', fault: repeatLater(LATE_MS), share: 0.001, at: isWrite },
  { name: 'done late, after the next attempt', fault: arriveOffline(LATE_MS), share: 0.002, at: isWrite },
  { name: 'never answered', fault: stayMute(), share: 0.001 },
  { name: 'done, never answered', fault: stayMute({ isDone: true }), share: 0.001, at: isWrite },
  { name: 'slow', fault: delay(LATE_MS), share: 0.002 },
];

/** The state of the net between processes and the table. */
export interface Net {
  isFaulty: boolean;
  /** What is not seen yet of transactions, whichever process asks. */
  readonly halfSeen: HalfSeen;
}

/** Transactions of which some items are seen before others, and for how long at most. */
const HALF_SEEN = { share: 0.1, ms: 400 };

/** Sets what goes wrong between a process and the table, each by its share. */
export function setNetFaults(
  net: Net,
  proxy: FaultProxy,
  process: string,
  log: Log,
  chance: SeededRandom,
): void {
  // Whatever else happens to it, a call sees no more of a transaction than others do.
  proxy.on(net.halfSeen.meets, net.halfSeen.meet, { times: Number.POSITIVE_INFINITY });
  for (const { name, fault, share, at = () => true } of FAULTS) {
    const noted: Fault = (passage) => {
      log.note(`net: ${name}`, { process });
      return fault(passage);
    };
    proxy.on((call) => net.isFaulty && at(call), noted, { share, times: Number.POSITIVE_INFINITY });
  }
  const inPart: Fault = (passage) => {
    log.note('net: transaction seen in part', { process });
    const ms = chance.between(20, HALF_SEEN.ms);
    const meanwhile = (signal: AbortSignal) => pause(ms, undefined, { signal });
    return net.halfSeen.commit(() => chance.next() < 0.5, meanwhile)(passage);
  };
  const isTransaction = ({ operation }: WireCall) => operation === 'TransactWriteItems';
  const often = { share: HALF_SEEN.share, times: Number.POSITIVE_INFINITY };
  proxy.on((call) => net.isFaulty && isTransaction(call), inPart, often);
}
