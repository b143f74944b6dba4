import { localeOf } from '#lib/http/wire/accept.ts';
import { refusalAnswer } from '#lib/http/wire/answer.ts';
import { describe, log } from '#lib/http/wire/log.ts';
import { toRefusal } from '#lib/http/wire/to-refusal.ts';
import type { Step } from './call-context.ts';

/** Turns an error into the answer for the caller, and logs what is only for operators. */
export function errorAnswers(): Step {
  return {
    onError: (request) => {
      const refusal = toRefusal(request.error);
      if (refusal.status >= 500) {
        const requestId = request.event.requestContext.requestId;
        log({ level: 'error', message: 'failed', request_id: requestId, ...describe(request.error) });
      }
      request.context.call.refused = refusal.phrase.key;
      request.response = refusalAnswer(refusal, localeOf(request.event.headers['accept-language']));
    },
  };
}
