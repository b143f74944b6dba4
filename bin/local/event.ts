import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';

const TEXT = /^(text\/|application\/(.+\+)?(json|xml|javascript)|application\/x-www-form-urlencoded)/;

/** Makes the event that API Gateway's HTTP API (payload format 2.0) would make of a request. */
export function eventOf(
  request: IncomingMessage,
  body: Buffer,
  route: { readonly key: string; readonly pathParameters: Readonly<Record<string, string>> },
  at: number,
): APIGatewayProxyEventV2 {
  const [rawPath = '/', rawQueryString = ''] = (request.url ?? '/').split(/\?(.*)/s);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, [value ?? ''].flat().join(',')]),
  );
  const isText = TEXT.test(headers['content-type'] ?? 'text/plain');
  const time = new Date(at);
  return {
    version: '2.0',
    routeKey: route.key,
    rawPath,
    rawQueryString,
    headers: { ...headers, 'x-forwarded-proto': 'http' },
    requestContext: {
      accountId: '000000000000',
      apiId: 'local',
      domainName: headers['host'] ?? 'localhost',
      domainPrefix: 'local',
      http: {
        method: request.method ?? 'GET',
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey: route.key,
      stage: '$default',
      time: time.toISOString(),
      timeEpoch: at,
    },
    pathParameters: { ...route.pathParameters },
    ...(body.length > 0 && { body: body.toString(isText ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !isText,
  };
}

/** How long a deployed worker may take over a batch. */
export const WORK_TIME_MS = 120_000;

/** How long a deployed function may take over a call. */
export const CALL_TIME_MS = 29_000;

/** Makes the context that Lambda would hand over with an event. */
export function contextOf(functionName: string, requestId: string, timeoutMs = CALL_TIME_MS): Context {
  const deadline = Date.now() + timeoutMs;
  return {
    callbackWaitsForEmptyEventLoop: false,
    functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:local:000000000000:function:${functionName}`,
    memoryLimitInMB: '1024',
    awsRequestId: requestId,
    logGroupName: `/aws/lambda/${functionName}`,
    logStreamName: 'local',
    getRemainingTimeInMillis: () => deadline - Date.now(),
    done: () => {},
    fail: () => {},
    succeed: () => {},
  };
}
