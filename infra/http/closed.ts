import { CORS } from '#infra/cors.ts';
import { errorResponse } from '#lib/http/wire/response.ts';
import { ApiError } from '#lib/values/api-error.ts';
import { LOCALES } from '#lib/values/text.ts';

/** A till asks again after so long: a closed stage is opened within minutes. */
const ASK_AGAIN_S = 60;

const CLOSED = new ApiError(503, { key: 'http.unavailable' }, {}, ASK_AGAIN_S);

/**
 * Makes the function that CloudFront runs before every call of a stage that is closed: it answers as the
 * service does when it can't, and no call gets further. Browsers may still ask whether they may call, so that
 * they show the answer.
 */
export function refusesAll(): string {
  const answers = LOCALES.map((locale) => [locale, errorResponse(CLOSED, locale)] as const);
  const bodies = Object.fromEntries(answers.map(([locale, { body }]) => [locale, body]));
  const [, first] = answers[0] ?? [];
  const told = {
    ...first?.headers,
    'access-control-allow-origin': '*',
    'access-control-expose-headers': CORS.exposeHeaders.join(','),
  };
  const headers = Object.fromEntries(Object.entries(told).map(([name, value]) => [name, { value }]));
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
