import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Resource } from '#lib/http/definition/definition.ts';
import type { Interval, Worker } from '#lib/http/worker.ts';
import { FUNCTIONS, type WorkerFile } from './routes.ts';

/** A worker with what it says it uses. */
export interface WorkerFunction extends WorkerFile {
  readonly uses: readonly Resource[];
  /** How often a schedule sends it a message; undefined if none does. */
  readonly every?: Interval | undefined;
}

/** Loads a worker's file. */
export async function workerFunctionOf(worker: WorkerFile): Promise<WorkerFunction> {
  const module: { handler: Worker } = await import(pathToFileURL(join(FUNCTIONS, worker.file)).href);
  const { uses = [], every } = module.handler.metadata;
  return { ...worker, uses, every };
}
