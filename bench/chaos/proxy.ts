import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { listen } from '#bin/cli/listen.ts';
import type { Fault, Passage, TableAnswer } from './fault.ts';
import { tableCallOf, type WireCall } from './table-call.ts';

/*
 * A proxy is between a process and the local table, or the local queues, and injects the faults that occur
 * between Lambda and DynamoDB or SQS. A rule is set by `proxy.on(isCommit, dropAnswer)`; `rule.met` resolves
 * once its fault has begun, `proxy.idle()` once all held or repeated calls have arrived.
 *
 * A body goes through byte by byte, so that a copy of a `TransactWriteItems` has the same
 * `ClientRequestToken` and is executed once, as a copy made by the network or by the SDK would be.
 */

/** Active rule. */
interface Rule {
  /** Number of matched calls. */
  readonly count: number;
  /** Resolves with the first matched call. */
  readonly met: Promise<WireCall>;
  /** Removes it. */
  off(): void;
}

type Matches = (call: WireCall) => boolean;

/** Frequency of a rule: the first `times` matching calls, or a random share of them. */
interface Frequency {
  readonly times?: number;
  readonly share?: number;
}

export interface FaultProxy {
  /** Endpoint to use in place of the table's. */
  readonly endpoint: string;
  /** Sets a fault, by default at the first matching call. The first rule that strikes wins. */
  on(matches: Matches, fault: Fault, frequency?: Frequency): Rule;
  /** Waits until no call is in progress. */
  idle(): Promise<void>;
  /** Stops it. Calls held by then never reach the table. */
  stop(): Promise<void>;
}

/** DynamoDB Local hangs up after 30 s: a connection that has been idle for long is not reused. */
const IDLE_MS = 5_000;

/** Starts a proxy on a free port of the loopback. `random` decides by chance: pass a seeded one. */
export async function startProxy(target: string, random: () => number = Math.random): Promise<FaultProxy> {
  const rules = new Set<ProxyRule>();
  const underWay = new Set<Promise<void>>();
  const stopping = new AbortController();
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS });
  const ruleOf = (call: WireCall) => [...rules].find((rule) => rule.strikes(call, random));
  const server = createServer((incoming, response) => {
    const work = serve(incoming, response, { target, agent, signal: stopping.signal, ruleOf })
      // The table or the caller is gone, or the proxy is being stopped.
      .catch(() => void incoming.socket.destroy())
      .finally(() => underWay.delete(work));
    underWay.add(work);
  });
  const listening = await listen(server);
  return {
    endpoint: listening.address,
    on: (matches, fault, frequency) => {
      const rule = newRule(matches, fault, frequency);
      rules.add(rule);
      return Object.assign(rule.seen, { off: () => void rules.delete(rule) });
    },
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay);
    },
    stop: async () => {
      stopping.abort();
      await listening.stop();
      agent.destroy();
    },
  };
}

type ProxyRule = ReturnType<typeof newRule>;

function newRule(matches: Matches, fault: Fault, { times = 1, share = 1 }: Frequency = {}) {
  const met = Promise.withResolvers<WireCall>();
  const seen = { count: 0, met: met.promise };
  return {
    fault,
    seen,
    strikes: (call: WireCall, random: () => number) =>
      seen.count < times && matches(call) && (share === 1 || random() < share),
    meet: (call: WireCall) => {
      seen.count += 1;
      met.resolve(call);
    },
  };
}

interface Passing extends Pick<Passage, 'signal'> {
  readonly target: string;
  readonly agent: Agent;
  readonly ruleOf: (call: WireCall) => ProxyRule | undefined;
}

/** Forwards a call, or passes it to the fault of the rule that strikes it. */
async function serve(
  incoming: IncomingMessage,
  response: ServerResponse,
  { target, agent, signal, ruleOf }: Passing,
): Promise<void> {
  const body = await buffer(incoming);
  const call = tableCallOf(incoming.headers, body);
  const rule = ruleOf(call);
  rule?.meet(call);
  const { method, url } = incoming;
  const forward = (headers = incoming.headers, sent = body) =>
    send(target, agent, { method, url, headers }, sent);
  await (rule?.fault ?? passThrough)({
    call,
    forward: () => forward(),
    ask: (operation, input) => {
      const asked = Buffer.from(JSON.stringify(input));
      const { 'x-amz-target': own } = incoming.headers;
      const name = String(own).replace(/\.\w+$/, `.${operation}`);
      return forward(
        { ...incoming.headers, 'x-amz-target': name, 'content-length': String(asked.length) },
        asked,
      );
    },
    answer: (answer) => reply(response, answer),
    cut: () => void incoming.socket.resetAndDestroy(),
    gone: async () => {
      if (!response.destroyed) await once(response, 'close');
    },
    signal,
  });
}

const passThrough: Fault = async ({ forward, answer }) => answer(await forward());

async function send(
  target: string,
  agent: Agent,
  { method, url = '/', headers }: Pick<IncomingMessage, 'method' | 'url' | 'headers'>,
  body: Buffer,
): Promise<TableAnswer> {
  const outgoing = request(new URL(url, target), { method: method ?? 'POST', headers, agent });
  outgoing.end(body);
  const [incoming]: IncomingMessage[] = await once(outgoing, 'response');
  if (!incoming) throw new Error('The table did not answer');
  return { status: incoming.statusCode ?? 500, headers: incoming.headers, body: await buffer(incoming) };
}

function reply(response: ServerResponse, { status, headers, body }: TableAnswer): void {
  const { connection: _, 'keep-alive': __, 'transfer-encoding': ___, ...kept } = headers;
  response.writeHead(status, { ...kept, 'content-length': String(body.length) }).end(body);
}
