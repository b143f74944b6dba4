import { probe } from '#lib/http/probe.ts';
import { Scheduled, worker } from '#lib/http/worker.ts';

/** Probes the service each minute as its clients call it. */
export const handler = worker({ message: Scheduled, every: 'minute', run: probe });
