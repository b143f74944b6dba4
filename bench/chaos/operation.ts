import type { SeededRandom } from '#bench/support/random.ts';
import type { ChaosFamily } from './family.ts';

/** What a client is about to do: where, under which name, and by whose chance. */
export interface Task {
  readonly scene: ChaosFamily;
  /** Goes into the comment of what it makes. */
  readonly name: string;
  readonly chance: SeededRandom;
}

/** An operation of a client, and how the table tells later whether it was done. */
export interface TaskStep extends Pick<Task, 'scene' | 'name'> {
  /** What the counts at the end call it. */
  readonly kind: string;
  readonly request: string;
  readonly json?: object;
  /** What the table tells of it once it is done, if not its name; null if it tells nothing. */
  readonly trace?: string | null;
  /**
   * True if it may be done twice, or its body has keys of its own: it is sent until it is answered, without
   * `Idempotency-Key`. False if it takes no such key: it is sent once.
   */
  readonly isKeyed?: boolean;
  /** How many cheques it makes at most, beside those that are told by its kind. */
  readonly mayMake?: number;
}

/** What documents go through by operations, and the call of each: `PATCH <path>/<id>/<word>`. */
const CHANGES = {
  return: ['/company/trade/sale', 'return'],
  receipt: ['/company/trade/purchase', 'complete'],
  'receipt cancel': ['/company/trade/purchase', 'cancel'],
  collection: ['/company/cashbox/operation/collection', 'confirm'],
  addition: ['/company/trade/hold', 'add-products'],
  cancel: ['/company/trade/hold', 'cancel'],
  'write-off': ['/company/trade/writeoff', 'complete'],
  'write-off cancel': ['/company/trade/writeoff', 'cancel'],
  arrival: ['/company/trade/transfer', 'complete'],
  'way back': ['/company/trade/transfer', 'cancel'],
  count: ['/company/trade/inventory', 'complete'],
  'count cancel': ['/company/trade/inventory', 'cancel'],
  'money cancel': ['/company/cashbox/operation', 'cancel'],
  'money return': ['/company/cashbox/operation', 'return'],
  retry: ['/company/trade/sale/refused', 'retry'],
  dismissal: ['/company/trade/sale/refused', 'dismiss'],
  shift: ['/company/trade/cashbox-shift', 'close'],
} as const;

export type DocumentChange = keyof typeof CHANGES;

/** Names what the table tells of a document's change. */
export function traceOf(change: DocumentChange, familyId: number, id: number): string {
  return `${change} of ${familyId} ${id}`;
}

/** Makes the operation by which a document goes through a change. */
export function changing(
  kind: DocumentChange,
  { scene, name }: Pick<Task, 'scene' | 'name'>,
  id: number,
  json?: object,
): TaskStep {
  const [path, word] = CHANGES[kind];
  const trace = traceOf(kind, scene.familyId, id);
  return { name, kind, scene, request: `PATCH ${path}/${id}/${word}`, trace, ...(json && { json }) };
}

/** Makes an operation of which the table tells nothing: it may be done twice, or is sent once. */
export function untold(
  kind: string,
  { scene, name }: Task,
  request: string,
  more: Pick<TaskStep, 'json' | 'isKeyed'> = {},
): TaskStep {
  return { name, kind, scene, request, trace: null, ...more };
}

/** Makes an operation that posts something; its name goes into the comment. */
export function posting(kind: string, { scene, name }: Task, path: string, json: object): TaskStep {
  return { name, kind, scene, request: `POST ${path}`, json: { ...json, comment: name } };
}
