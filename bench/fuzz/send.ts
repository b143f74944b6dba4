import { once } from 'node:events';
import { Agent, type IncomingMessage, request as send } from 'node:http';
import { text } from 'node:stream/consumers';
import type { FuzzRequest } from './request.ts';

/** A response, and its time. */
export interface FuzzAnswer {
  readonly status: number;
  readonly body: string;
  readonly ms: number;
}

type Ask = (request: FuzzRequest) => Promise<FuzzAnswer>;

/** Time limit of a response on any machine, and its limit relative to a plain request made right after it. */
const MAX_MS = 1000;
const MAX_HEAVY_MS = 5000;
const MAX_TIMES_PLAIN = 100;
/** After this time the service counts as stuck. */
const STUCK_MS = 40_000;
const ATTEMPTS = 3;

/** A path without a route: its response time shows the machine's own slowness. */
const NOWHERE = '/nowhere';

/** Returns a sender of sequential requests to a service. */
export function senderAt(address: string): { readonly ask: Ask; readonly stop: () => void } {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  return {
    ask: async ({ method, path, headers: own, body }) => {
      const began = performance.now();
      const headers = { ...own, 'content-length': String(body?.length ?? 0) };
      const signal = AbortSignal.timeout(STUCK_MS);
      const outgoing = send(`${address}${path}`, { agent, method, headers, signal });
      outgoing.end(body);
      const [response]: IncomingMessage[] = await once(outgoing, 'response');
      if (!response) throw new Error('The service did not answer');
      return {
        status: Number(response.statusCode),
        body: await text(response),
        ms: performance.now() - began,
      };
    },
    stop: () => agent.destroy(),
  };
}

/** Returns the fault of a response; undefined if it is right. */
export async function faultOf(
  ask: Ask,
  request: FuzzRequest,
  { status, ms }: FuzzAnswer,
): Promise<string | undefined> {
  const { target } = request;
  // The gateway may be down: Part 1, "Errors".
  const mayBeDown = /\/company\/tariff\/pay-/.test(target.path);
  if (status >= 500 && !(status === 503 && mayBeDown)) return String(status);
  if (mayBeDown) return undefined;
  const max = target.isHeavy ? MAX_HEAVY_MS : MAX_MS;
  let fastest = ms;
  for (let attempt = 1; attempt < ATTEMPTS && fastest > max; attempt++) {
    const plain = await ask({ ...request, method: 'GET', path: NOWHERE, body: undefined });
    const again = await ask(request);
    fastest = Math.min(fastest, again.ms <= MAX_TIMES_PLAIN * plain.ms ? max : again.ms);
  }
  return fastest > max ? 'late' : undefined;
}
