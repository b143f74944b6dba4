import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

/** A call of AWS's protocol: its operation, if a header names it. */
export interface Asked {
  readonly operation: string;
  readonly url: URL;
  readonly body: string;
}

/** Answers a call by a body, or leaves it to the emulator beyond by undefined. */
type Answer = (asked: Asked) => Promise<string | undefined>;

/** Serves what an emulator lacks, and passes everything else on to it. */
export async function serveBefore(beyond: string, answer: Answer) {
  const server = createServer((request, response) => {
    void pass(request, beyond, answer).then(async (reply) => {
      response.writeHead(reply.status, { 'content-type': reply.headers.get('content-type') ?? '' });
      response.end(Buffer.from(await reply.arrayBuffer()));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`;
  return { url, close: () => void server.close() };
}

async function pass(request: IncomingMessage, beyond: string, answer: Answer): Promise<Response> {
  const url = new URL(request.url ?? '/', beyond);
  const body = await text(request);
  const operation = String(request.headers['x-amz-target'] ?? '').replace(/.*\./, '');
  const own = await answer({ operation, url, body });
  const type = request.headers['content-type'] ?? '';
  if (own !== undefined) return new Response(own, { headers: { 'content-type': type || 'text/xml' } });
  const headers = Object.entries(request.headers).flatMap(([name, value]) =>
    /^(x-amz|content-type|content-md5|authorization)/.test(name) ? [[name, String(value)] as const] : [],
  );
  const method = request.method ?? 'GET';
  return await fetch(url, { method, headers: Object.fromEntries(headers), ...(body && { body }) });
}
