import { randomUUID } from 'node:crypto';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { contextOf } from '#bin/local/event.ts';

/** Creates an event as API Gateway sends it, for a function that no route serves. */
export function newEvent(
  given: Partial<APIGatewayProxyEventV2> & { method?: string } = {},
): [APIGatewayProxyEventV2, Context] {
  const { method = 'GET', ...rest } = given;
  const requestId = randomUUID();
  const event: APIGatewayProxyEventV2 = {
    version: '2.0',
    routeKey: `${method} /test`,
    rawPath: '/test',
    rawQueryString: '',
    headers: { host: 'api.example' },
    isBase64Encoded: false,
    requestContext: {
      accountId: '0',
      apiId: 'test',
      domainName: 'api.example',
      domainPrefix: 'api',
      http: { method, path: '/test', protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
      requestId,
      routeKey: `${method} /test`,
      stage: '$default',
      time: '',
      timeEpoch: Date.parse('2026-11-21T06:00:00Z'),
    },
    ...rest,
  };
  return [event, contextOf('test', requestId)];
}
