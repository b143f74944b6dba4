import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { newClock } from '#bin/local/clock.ts';
import { router } from '#bin/local/router.ts';
import { limitTime, startServer } from '#bin/local/server.ts';
import type { Route } from '#infra/routes.ts';
import type { LambdaResponse } from '#lib/http/wire/response.ts';

/*
 * The local server stands in for CloudFront, API Gateway and Lambda. It is compared with AWS's pages on the
 * payload format 2.0, on quotas and on CORS of HTTP APIs.
 */

let address: string;
let port: number;
let seen: APIGatewayProxyEventV2;
let reply: LambdaResponse;
let close: () => Promise<void>;

beforeAll(async () => {
  const handler = async (event: APIGatewayProxyEventV2): Promise<LambdaResponse> => {
    seen = event;
    if (reply.statusCode === 0) throw new Error('planted');
    return reply;
  };
  const endpoint = Object.assign(handler, { metadata: { right: 'anyone' as const, response: z.void() } });
  const routes: Route[] = [
    {
      file: 'common/thing/[model].ts',
      path: '/common/thing/{model}',
      endpoints: { GET: endpoint, PUT: endpoint },
      hasMethodOverride: true,
    },
  ];
  const server = await startServer(routes, async () => undefined, newClock(), 0);
  address = server.address;
  port = Number(new URL(address).port);
  close = server.stop;
});

afterAll(() => close());

function answering(given: Partial<LambdaResponse> = {}): void {
  reply = { statusCode: 200, headers: { 'content-type': 'application/json' }, body: '{}', ...given };
}

/** Sends a request as it is written, as no client of Node's would. */
async function raw(lines: readonly string[], body = ''): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(`${[...lines, 'Host: any.example', 'Connection: close'].join('\r\n')}\r\n\r\n${body}`);
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk;
  });
  await once(socket, 'close');
  return answer;
}

describe('the event', () => {
  test('has the path and its variables decoded, as API Gateway hands them over', async () => {
    answering();
    await fetch(`${address}/common/thing/choy%20ko%E2%80%98k%3F?a=%20b`);
    expect(seen).toMatchObject({
      routeKey: 'GET /common/thing/{model}',
      rawPath: '/common/thing/choy ko‘k?',
      pathParameters: { model: 'choy ko‘k?' },
      rawQueryString: 'a=%20b',
      queryStringParameters: { a: ' b' },
      requestContext: { http: { path: '/common/thing/choy ko‘k?' } },
    });
  });

  test('joins repeated headers and repeated query keys by commas, also those that Node would drop', async () => {
    answering();
    await raw([
      'GET /common/thing/1?with[]=a&with[]=b HTTP/1.1',
      'X-Twice: one',
      'X-Twice: two',
      'Authorization: Bearer a',
      'Authorization: Bearer b',
    ]);
    expect(seen.headers).toMatchObject({ 'x-twice': 'one,two', authorization: 'Bearer a,Bearer b' });
    expect(seen.queryStringParameters).toEqual({ 'with[]': 'a,b' });
    expect(seen.rawQueryString).toBe('with[]=a&with[]=b');
  });

  test('has cookies by themselves, and no headers of the connection', async () => {
    answering();
    await raw(['GET /common/thing/1 HTTP/1.1', 'Cookie: a=1; b=2']);
    expect(seen.cookies).toEqual(['a=1', 'b=2']);
    expect(seen.headers).not.toHaveProperty('cookie');
    expect(seen.headers).not.toHaveProperty('connection');
    expect(seen.headers).toMatchObject({
      host: expect.stringContaining('execute-api'),
      'x-forwarded-proto': 'https',
    });
  });

  test.each([
    ['application/json', false],
    ['application/vnd.api+json; charset=utf-8', false],
    ['text/csv', false],
    ['application/x-www-form-urlencoded', true],
    ['multipart/form-data; boundary=x', true],
    ['application/octet-stream', true],
  ])('has a body of %s in base64: %s', async (type, isBase64) => {
    answering();
    await fetch(`${address}/common/thing/1`, {
      method: 'PUT',
      headers: { 'content-type': type },
      body: 'чой',
    });
    expect(seen.isBase64Encoded).toBe(isBase64);
    expect(Buffer.from(seen.body ?? '', isBase64 ? 'base64' : 'utf8').toString()).toBe('чой');
  });
});

describe('limits', () => {
  const put = (body: string) => fetch(`${address}/common/thing/1`, { method: 'PUT', body });

  test('a body over 10 MB ends at the gateway, one over 6 MB at Lambda: both 413 in words of theirs (Contract 9.77)', async () => {
    answering();
    for (const megabytes of [6, 11]) {
      const { status, text } = await answerOf(put('x'.repeat(megabytes * 1024 * 1024)));
      expect([status, text]).toEqual([413, '{"message":"Request Entity Too Large"}']);
    }
    expect((await put('x'.repeat(5 * 1024 * 1024))).status).toBe(200);
  });

  test('an answer over 6 MB is 500, and so is a function that fails', async () => {
    const quiet = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    answering({ body: 'x'.repeat(7 * 1024 * 1024), isBase64Encoded: true });
    const large = await answerOf(put(''));
    answering({ statusCode: 0 });
    const failed = await answerOf(put(''));
    quiet.mockRestore();
    for (const { status, text } of [large, failed]) {
      expect([status, text]).toEqual([500, '{"message":"Internal Server Error"}']);
    }
  });

  test('a call that takes longer than a deployed function may is answered without it', async () => {
    expect(await limitTime(1000, Promise.resolve('in time'), () => 'late')).toBe('in time');
    expect(await limitTime(50, pause(600_000, 'too late', { ref: false }), () => 'late')).toBe('late');
    await expect(limitTime(50, Promise.reject(new Error('failed')), () => 'late')).rejects.toThrow('failed');
  });

  test('a request line and headers over 10 240 bytes, with what CloudFront adds to them, are 431', async () => {
    answering();
    const withHeader = (bytes: number) =>
      fetch(`${address}/common/thing/1`, { headers: { 'x-long': 'x'.repeat(bytes) } });
    expect((await withHeader(9000)).status).toBe(200);
    const { status, text } = await answerOf(withHeader(9800));
    expect([status, text]).toEqual([431, '{"message":"Request Header Fields Too Large"}']);
  });

  test('a GET with a body is 403: CloudFront takes none', async () => {
    const sent = httpRequest(`${address}/common/thing/1`, {
      method: 'GET',
      headers: { 'content-length': 2 },
    });
    sent.end('{}');
    const [response] = await once(sent, 'response');
    expect(response.statusCode).toBe(403);
    response.resume();
  });
});

describe('browsers', () => {
  const ORIGIN = { origin: 'https://till.example' };

  test('that ask first get the rules, and no function is called', async () => {
    answering({ statusCode: 418 });
    const headers = { ...ORIGIN, 'access-control-request-method': 'PUT' };
    const answer = await fetch(`${address}/common/thing/1`, { method: 'OPTIONS', headers });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-methods')).toContain('PUT');
    expect(answer.headers.get('access-control-allow-headers')).toContain('Idempotency-Key');
    expect(answer.headers.get('access-control-max-age')).toBe('86400');
  });

  test('are answered by the gateway only as long as no route takes OPTIONS: $default and ANY do', async () => {
    expect(router([])('OPTIONS', '/company/trade/sale')).toBeUndefined();
    for (const taking of ['$default', 'ANY /{proxy+}']) {
      expect(router([], [], [taking])('OPTIONS', '/company/trade/sale')?.key).toBe(taking);
    }
    expect(router([])('HEAD', '/company/trade/sale')).toMatchObject({
      key: 'HEAD /{proxy+}',
      pathParameters: { proxy: 'company/trade/sale' },
    });
    expect(router([])('GET', '/')?.key).toBe('GET /');
    const odd = await fetch(`${address}/common/thing/1`, { method: 'PROPFIND' });
    expect([odd.status, await odd.text()]).toEqual([403, '{"message":"Forbidden"}']);
  });

  test('may read answers and refusals, in which other callers find nothing of it', async () => {
    answering();
    const [own, other] = await Promise.all([
      fetch(`${address}/common/thing/1`, { headers: ORIGIN }),
      fetch(`${address}/common/thing/1`),
    ]);
    expect(own.headers.get('access-control-allow-origin')).toBe('*');
    expect(own.headers.get('access-control-expose-headers')).toContain('X-Request-Id');
    expect(other.headers.get('access-control-allow-origin')).toBeNull();
    const asked = await fetch(`${address}/common/thing/1`, { method: 'OPTIONS' });
    expect([asked.status, asked.headers.get('access-control-allow-origin')]).toEqual([204, null]);
  });
});

async function answerOf(answer: Promise<Response>) {
  const response = await answer;
  return { status: response.status, text: await response.text() };
}
