import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** A call of AWS's protocol or of the service's: its operation, if a header or its body names it. */
export interface ReceivedCall {
  readonly method: string;
  readonly operation: string;
  readonly url: URL;
  readonly body: string;
}

/** Answers a call by a body, or leaves it to the emulator beyond by undefined. */
type Answer = (asked: ReceivedCall) => Promise<string | undefined>;

/** Called after a request has been executed, before its caller gets the response. */
type Done = (asked: ReceivedCall) => Promise<void>;

/** Serves requests an emulator lacks, and forwards all others to it. */
export async function serveBefore(beyond: string, answer: Answer, done: Done = async () => {}) {
  const server = createServer((request, response) => {
    void pass(request, beyond, answer, done).then(async (reply) => {
      const rules = [...reply.headers].filter(([name]) => name.startsWith('access-control-'));
      const type = reply.headers.get('content-type') ?? '';
      response.writeHead(reply.status, { ...Object.fromEntries(rules), 'content-type': type });
      response.end(Buffer.from(await reply.arrayBuffer()));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
  return { url, close: () => void server.close() };
}

const KEPT = /^(x-amz|content-type|content-md5|authorization|idempotency-key|origin$|access-control-)/;

async function pass(request: IncomingMessage, beyond: string, answer: Answer, done: Done): Promise<Response> {
  const url = new URL(request.url ?? '/', beyond);
  const body = await text(request);
  const method = request.method ?? 'GET';
  const named = String(request.headers['x-amz-target'] ?? '').replace(/.*\./, '');
  const asked = { method, url, body, operation: named || (new URLSearchParams(body).get('Action') ?? '') };
  const own = await answer(asked);
  const type = request.headers['content-type'] ?? '';
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    KEPT.test(name) ? [[name, String(value)] as const] : [],
  );
  const reply =
    own === undefined
      ? await fetch(url, { method, headers: Object.fromEntries(headers), ...(body && { body }) })
      : new Response(own, { headers: { 'content-type': type || 'text/xml' } });
  await done(asked);
  return reply;
}
