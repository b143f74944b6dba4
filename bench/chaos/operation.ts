import type { SeededRandom } from '#bench/support/random.ts';
import type { ChaosFamily } from './family.ts';

/** Next action of a client: its family, its name, its random numbers. */
export interface Task {
  readonly scene: ChaosFamily;
  /** Written to the comment of the created document. */
  readonly name: string;
  readonly chance: SeededRandom;
}

/** Token or headers by which a caller is known. */
export interface CallerCredentials {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Operation of a client, with the trace that later proves its execution in the table. */
export interface TaskStep extends Pick<Task, 'scene' | 'name'> {
  /** Name in the final counts. */
  readonly kind: string;
  readonly request: string;
  readonly json?: object;
  /** Its caller, unless it is the family's director. */
  readonly sender?: CallerCredentials;
  /** Its trace in the table after execution, if not its name; null if it leaves none. */
  readonly trace?: string | null;
  /**
   * True if it may be executed twice, or its body has keys of its own: it is sent until it is answered,
   * without `Idempotency-Key`. False if it takes no such key: it is sent once.
   */
  readonly isKeyed?: boolean;
  /** Maximum number of sales it creates, in addition to those implied by its kind. */
  readonly mayMake?: number;
}

/** Changes of documents by operations, and the call of each: `PATCH <path>/<id>/<word>`. */
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
  'tender correction': ['/company/trade/sale', 'tender'],
  'repricing cancel': ['/company/trade/recalculation-batch', 'cancel'],
} as const;

export type DocumentChange = keyof typeof CHANGES;

/** Returns the trace of a document's change in the table. */
export function traceOf(change: DocumentChange, familyId: number, id: number): string {
  return `${change} of ${familyId} ${id}`;
}

/** Returns the operation of a document's change. */
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

/** Returns an operation that leaves no trace in the table: it may be executed twice, or is sent once. */
export function withoutTrace(
  kind: string,
  { scene, name }: Task,
  request: string,
  more: Pick<TaskStep, 'json' | 'isKeyed' | 'sender'> = {},
): TaskStep {
  return { name, kind, scene, request, trace: null, ...more };
}

/** Returns the credentials and headers of an operation's request. */
export function credentialsOf(
  { scene, sender = { token: scene.token } }: Pick<TaskStep, 'scene' | 'sender'>,
  headers: Readonly<Record<string, string>> = {},
): CallerCredentials {
  return { ...sender, headers: { ...sender.headers, ...headers } };
}

/** Returns an operation that creates a posting; its name goes into the comment. */
export function posting(kind: string, { scene, name }: Task, path: string, json: object): TaskStep {
  return { name, kind, scene, request: `POST ${path}`, json: { ...json, comment: name } };
}
