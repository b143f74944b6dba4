import { probe } from '#lib/http/probe.ts';
import { Scheduled, worker } from '#lib/http/worker.ts';

/** Calls the service each minute as its clients do. */
export const handler = worker({ message: Scheduled, every: 'minute', run: probe });
