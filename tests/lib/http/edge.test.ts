import { gunzipSync } from 'node:zlib';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { catchAll, requireEdge } from '#lib/http/edge.ts';
import type { LambdaResponse } from '#lib/http/wire/response.ts';
import { newEvent } from '#tests/support/event.ts';

const echo = requireEdge(async ({ requestContext }) => ({
  statusCode: 200,
  headers: {},
  body: requestContext.http.sourceIp,
}));

async function come(headers: Record<string, string>): Promise<LambdaResponse> {
  const [event, context] = newEvent({ headers });
  return echo(event, context);
}

describe('behind the content network', () => {
  beforeEach(() => {
    vi.stubEnv('ORIGIN_SECRET', 'in-use');
    vi.stubEnv('ORIGIN_SECRET_BELIEVED', 'believed-too');
  });

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  test.each(['in-use', 'believed-too'])('a call with the secret %s is let in', async (secret) => {
    const answer = await come({ 'x-origin-secret': secret, 'x-viewer-address': '198.51.100.10' });
    expect(answer).toMatchObject({ statusCode: 200, body: '198.51.100.10' });
  });

  test('the caller’s address is what the network says, in IPv6 too', async () => {
    const answer = await come({ 'x-origin-secret': 'in-use', 'x-viewer-address': '2001:db8::7' });
    expect(answer.body).toBe('2001:db8::7');
  });

  test.each([
    [{}],
    [{ 'x-viewer-address': '198.51.100.10' }],
    [{ 'x-origin-secret': '', 'x-viewer-address': '198.51.100.10' }],
    [{ 'x-origin-secret': 'in-us', 'x-viewer-address': '198.51.100.10' }],
    [{ 'x-origin-secret': 'in-use,believed-too', 'x-viewer-address': '198.51.100.10' }],
  ])('a call with %o went past it and is 403', async (headers) => {
    const answer = await come(headers);
    expect(answer.statusCode).toBe(403);
    expect(JSON.parse(answer.body)).toMatchObject({ code: 'auth.past_the_edge' });
    expect(answer.headers['x-request-id']).toBeDefined();
  });

  test('each such call is counted for an alarm', async () => {
    vi.stubEnv('STAGE', 'test');
    vi.stubEnv('LOG_LEVEL', 'info');
    const written = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    await come({});
    const [[line] = []] = written.mock.calls;
    vi.restoreAllMocks();
    expect(JSON.parse(String(line))).toMatchObject({ level: 'warn', past_the_edge: 1, stage: 'test' });
  });

  test('a deployment that says only one of the two secrets fails by its name', async () => {
    vi.stubEnv('ORIGIN_SECRET_BELIEVED', '');
    await expect(come({ 'x-origin-secret': 'in-use' })).rejects.toThrow('ORIGIN_SECRET_BELIEVED');
  });
});

test('where no network is, the caller’s address is the connection’s, whatever the caller says', async () => {
  const answer = await come({ 'x-viewer-address': '198.51.100.10' });
  expect(answer).toMatchObject({ statusCode: 200, body: '127.0.0.1' });
});

/** Headers of callers that reject gzip, or prefer no encoding. */
const WITHOUT_GZIP = [
  'gzip;q=0',
  'gzip; q=0.0',
  'gzip;q=0, *',
  '*;q=0',
  'br, gzip;Q=0',
  'gzip;q=0.1, identity',
  'gzip;q=no',
];

describe('compression', () => {
  const answerOf = async (answer: Partial<LambdaResponse>, accepted?: string): Promise<LambdaResponse> => {
    const given = { statusCode: 200, headers: {}, body: '', ...answer };
    const headers: APIGatewayProxyEventV2['headers'] =
      accepted === undefined ? {} : { 'accept-encoding': accepted };
    const [event, context] = newEvent({ headers });
    return requireEdge(async () => given)(event, context);
  };
  const long = JSON.stringify({ names: Array.from({ length: 200 }, (_, index) => `Choy ${index}`) });

  test.each(['gzip', 'br, gzip', 'gzip;q=0.5', 'GZIP, deflate', '*', '*;q=0, gzip', 'identity;q=0, *'])(
    'an answer of 1 KB is packed for %s',
    async (accepted) => {
      const answer = await answerOf({ body: long }, accepted);
      expect(answer).toMatchObject({
        isBase64Encoded: true,
        headers: { 'content-encoding': 'gzip', vary: 'accept-encoding' },
      });
      expect(gunzipSync(Buffer.from(answer.body, 'base64')).toString()).toBe(long);
    },
  );

  test.each([undefined, '', 'br', 'identity', ...WITHOUT_GZIP])('it is not for %s', async (accepted) => {
    expect(await answerOf({ body: long }, accepted)).toMatchObject({
      body: long,
      headers: { vary: 'accept-encoding' },
    });
  });

  test('a short answer, a file and what is packed already stay as they are', async () => {
    const short = { body: 'x'.repeat(1023), headers: { 'content-type': 'text/plain' } };
    const file = { body: 'x'.repeat(5000), isBase64Encoded: true };
    const packed = { body: 'x'.repeat(5000), headers: { 'content-encoding': 'gzip' } };
    for (const each of [short, file, packed]) {
      expect(await answerOf(each, 'gzip')).toEqual({ statusCode: 200, headers: {}, ...each });
    }
  });
});

test('a browser that asks whether it may call is never refused, not even where no route is', async () => {
  const unserved = catchAll({ '/company/trade/sale': ['GET', 'POST'] });
  for (const rawPath of ['/company/trade/sale', '/nowhere']) {
    const [event, context] = newEvent({ method: 'OPTIONS' });
    const answer = await unserved({ ...event, rawPath }, context);
    expect([answer.statusCode, answer.body]).toEqual([204, '']);
  }
});
