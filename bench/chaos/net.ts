import { setTimeout as pause } from 'node:timers/promises';
import type { SeededRandom } from '#bench/support/random.ts';
import { leaveUnprocessed, refuseAsConflict } from './contention.ts';
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
import { queueFaults } from './queue-faults.ts';
import { deliverInDisorder, deliverTwice } from './stream-faults.ts';
import { isCommit, type WireCall } from './table-call.ts';

interface NetFault {
  readonly name: string;
  readonly fault: Fault;
  readonly share: number;
  readonly at?: (call: WireCall) => boolean;
}

const isWrite = ({ isWrite }: WireCall) => isWrite;

/** Longer than the SDK's retry delay, shorter than a call's lifetime. */
const LATE_MS = 900;

/** Longer than a large transaction's lease, shorter than a call's lifetime. */
const PAST_LEASE_MS = 12_000;

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
  { name: 'done long after', fault: arriveOffline(PAST_LEASE_MS), share: 0.0005, at: isWrite },
  { name: 'held past a lease', fault: delay(PAST_LEASE_MS), share: 0.0005 },
  { name: 'never answered', fault: stayMute(), share: 0.001 },
  { name: 'done, never answered', fault: stayMute({ isDone: true }), share: 0.001, at: isWrite },
  { name: 'slow', fault: delay(LATE_MS), share: 0.002 },
];

/** State of the network between processes and the table. */
export interface Net {
  isFaulty: boolean;
  /** True while the table is unreachable. */
  isTableAway: boolean;
  /** Transaction items not yet visible, shared by all processes. */
  readonly halfSeen: HalfSeen;
}

/** Share of transactions that become visible in two steps, and the maximum delay. */
const HALF_SEEN = { share: 0.1, ms: 400 };

/** Proxies between a process and its data. */
export interface Lines {
  readonly table: FaultProxy;
  readonly queues: FaultProxy;
}

/** Process under faults, its random numbers and its log. */
interface Struck {
  readonly process: string;
  readonly log: Log;
  readonly chance: SeededRandom;
}

/** Unlimited. */
const ALWAYS = { times: Number.POSITIVE_INFINITY };

/** Sets the faults between a process and its table and queues, each with its share. */
export function setNetFaults(net: Net, { table, queues }: Lines, struck: Struck): void {
  const { process, log, chance } = struck;
  const noted =
    (name: string, fault: Fault): Fault =>
    (passage) => {
      log.note(`net: ${name}`, { process });
      return fault(passage);
    };
  table.on(() => net.isTableAway, noted('table away', beAway(chance)), ALWAYS);
  // With any other fault, a call sees no more of a transaction than other calls do.
  table.on(net.halfSeen.meets, net.halfSeen.meet, ALWAYS);
  for (const { name, fault, share, at = () => true } of [...FAULTS, ...contention(chance)]) {
    table.on((call) => net.isFaulty && at(call), noted(name, fault), { ...ALWAYS, share });
  }
  const inPart: Fault = (passage) => {
    const ms = chance.between(20, HALF_SEEN.ms);
    const meanwhile = (signal: AbortSignal) => pause(ms, undefined, { signal });
    return net.halfSeen.commit(() => chance.next() < 0.5, meanwhile)(passage);
  };
  const often = { ...ALWAYS, share: HALF_SEEN.share };
  const seenInPart = noted('transaction seen in part', inPart);
  table.on((call) => net.isFaulty && isTransaction(call), seenInPart, often);
  for (const { name, fault, share, at } of queueFaults(chance)) {
    queues.on((call) => net.isFaulty && at(call), noted(name, fault), { ...ALWAYS, share });
  }
}

const isTransaction = ({ operation }: WireCall) => operation === 'TransactWriteItems';
const isBatch = ({ operation }: WireCall) => operation === 'BatchGetItem';
const isFollowing = ({ operation }: WireCall) => operation === 'GetRecords';
const isSingle = ({ operation }: WireCall) => /^(Put|Update|Delete)Item$/.test(operation);

/** Lists the faults of a table under contention, and those of its stream. */
function contention(chance: SeededRandom): readonly NetFault[] {
  const refused = refuseAsConflict(chance);
  return [
    { name: 'conflict of transactions', fault: refused, share: 0.02, at: isTransaction },
    { name: 'conflict of a single write', fault: refused, share: 0.01, at: isSingle },
    { name: 'keys left unprocessed', fault: leaveUnprocessed(chance), share: 0.02, at: isBatch },
    { name: 'stream told twice', fault: deliverTwice, share: 0.1, at: isFollowing },
    { name: 'stream told in disorder', fault: deliverInDisorder(chance), share: 0.1, at: isFollowing },
  ];
}

/** Leaves a call without a response, resets it or fails it, and executes nothing of it. */
function beAway(chance: SeededRandom): Fault {
  return (passage) => chance.oneOf([stayMute(), dropRequest, answerError()])(passage);
}
