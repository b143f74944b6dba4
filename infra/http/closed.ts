import { CORS } from '#infra/cors.ts';
import { errorResponse } from '#lib/http/wire/response.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { LOCALES } from '#lib/values/text.ts';

/** Retry delay for a till, in seconds: a closed stage opens again within minutes. */
const RETRY_AFTER_S = 60;

const CLOSED = new ApiError(503, { key: 'http.unavailable' }, {}, RETRY_AFTER_S);

/**
 * Returns the CloudFront function of a closed stage: it responds to every request as the service does when
 * unavailable. Preflight requests pass, so that browsers can show the response.
 */
export function refusesAll(): string {
  const answers = LOCALES.map((locale) => [locale, errorResponse(CLOSED, locale)] as const);
  const bodies = Object.fromEntries(answers.map(([locale, { body }]) => [locale, body]));
  const [, first] = answers[0] ?? [];
  const sent = {
    ...first?.headers,
    'access-control-allow-origin': '*',
    'access-control-expose-headers': CORS.exposeHeaders.join(','),
  };
  const headers = Object.fromEntries(Object.entries(sent).map(([name, value]) => [name, { value }]));
  return `function handler(event) {
  var request = event.request;
  if (request.method === 'OPTIONS') return request;
  var bodies = ${JSON.stringify(bodies)};
  var headers = ${JSON.stringify(headers)};
  headers['x-request-id'] = { value: event.context.requestId };
  var asked = request.headers['accept-language'];
  var tag = asked ? asked.value.toLowerCase() : '';
  var locale = tag.indexOf('uz-latn') === 0 ? 'oz' : tag.slice(0, 2);
  var data = bodies[locale] || bodies.ru;
  var body = { encoding: 'text', data: data };
  return { statusCode: 503, statusDescription: 'Service Unavailable', headers: headers, body: body };
}`;
}
