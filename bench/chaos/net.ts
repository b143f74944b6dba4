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
import { tellInDisorder, tellTwice } from './stream-faults.ts';
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

/** Longer than a large transaction's lease, shorter than a call lives. */
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

/** The state of the net between processes and the table. */
export interface Net {
  isFaulty: boolean;
  /** True while nobody reaches the table. */
  isTableAway: boolean;
  /** What is not seen yet of transactions, whichever process asks. */
  readonly halfSeen: HalfSeen;
}

/** Transactions of which some items are seen before others, and for how long at most. */
const HALF_SEEN = { share: 0.1, ms: 400 };

/** What is between a process and its data. */
export interface Lines {
  readonly table: FaultProxy;
  readonly queues: FaultProxy;
}

/** A process whose calls go wrong, its chance, and where that is written down. */
interface Struck {
  readonly process: string;
  readonly log: Log;
  readonly chance: SeededRandom;
}

/** As often as chance has it. */
const ALWAYS = { times: Number.POSITIVE_INFINITY };

/** Sets what goes wrong between a process and its table and queues, each by its share. */
export function setNetFaults(net: Net, { table, queues }: Lines, struck: Struck): void {
  const { process, log, chance } = struck;
  const noted =
    (name: string, fault: Fault): Fault =>
    (passage) => {
      log.note(`net: ${name}`, { process });
      return fault(passage);
    };
  table.on(() => net.isTableAway, noted('table away', beAway(chance)), ALWAYS);
  // Whatever else happens to it, a call sees no more of a transaction than others do.
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

/** Lists what a table does where many want the same, and how its stream may tell of it. */
function contention(chance: SeededRandom): readonly NetFault[] {
  const refused = refuseAsConflict(chance);
  return [
    { name: 'conflict of transactions', fault: refused, share: 0.02, at: isTransaction },
    { name: 'conflict of a single write', fault: refused, share: 0.01, at: isSingle },
    { name: 'keys left unprocessed', fault: leaveUnprocessed(chance), share: 0.02, at: isBatch },
    { name: 'stream told twice', fault: tellTwice, share: 0.1, at: isFollowing },
    { name: 'stream told in disorder', fault: tellInDisorder(chance), share: 0.1, at: isFollowing },
  ];
}

/** Leaves a call unanswered, cuts it off or fails it, and does nothing of it. */
function beAway(chance: SeededRandom): Fault {
  return (passage) => chance.oneOf([stayMute(), dropRequest, answerError()])(passage);
}
