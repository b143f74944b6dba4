import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Resource } from '#lib/http/definition/definition.ts';
import type { StreamConsumer } from '#lib/http/stream-consumer.ts';
import type { Interval, Worker } from '#lib/http/worker.ts';
import { FUNCTIONS, STREAM_CONSUMER, type WorkerFile } from './routes.ts';

/** A worker with its declared uses. */
export interface WorkerFunction extends WorkerFile {
  readonly uses: readonly Resource[];
  /** Interval of its schedule; undefined if it has none. */
  readonly every?: Interval | undefined;
  /** Reserved concurrency, and messages per execution. */
  readonly reserved?: number | undefined;
  readonly batch?: number | undefined;
}

/** Loads a worker's file, and reads its metadata. */
export async function workerFunctionOf(worker: WorkerFile): Promise<WorkerFunction> {
  const { uses = [], every, reserved, batch } = (await loadWorker(worker)).metadata;
  return { ...worker, uses, every, reserved, batch };
}

/** Loads the handler of the stream consumer. */
export async function loadStreamConsumer(): Promise<StreamConsumer> {
  const module: { handler: StreamConsumer } = await import(
    pathToFileURL(join(FUNCTIONS, STREAM_CONSUMER.file)).href
  );
  return module.handler;
}

/** Loads a worker's handler. */
export async function loadWorker({ file }: WorkerFile): Promise<Worker> {
  const module: { handler: Worker } = await import(pathToFileURL(join(FUNCTIONS, file)).href);
  return module.handler;
}
