import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Resource } from '#lib/http/endpoint.ts';
import type { Worker } from '#lib/http/worker.ts';
import { FUNCTIONS, type Worker as WorkerFile } from './routes.ts';

/** A worker with what it says it uses. */
export interface WorkerFunction extends WorkerFile {
  readonly uses: readonly Resource[];
}

/** Loads a worker's file. */
export async function workerFunctionOf(worker: WorkerFile): Promise<WorkerFunction> {
  const module: { handler: Worker } = await import(pathToFileURL(join(FUNCTIONS, worker.file)).href);
  return { ...worker, uses: module.handler.metadata.uses ?? [] };
}
