import { refusalAnswer } from '#lib/http/answer.ts';
import { localeOf } from '#lib/http/locale.ts';
import { describe, log } from '#lib/http/log.ts';
import { toRefusal } from '#lib/http/to-refusal.ts';
import type { Step } from './call-context.ts';

/** Turns whatever was thrown into the answer the caller is to see, and logs what only operators are to see. */
export function errorAnswers(): Step {
  return {
    onError: (request) => {
      const refusal = toRefusal(request.error);
      if (refusal.status >= 500) {
        const requestId = request.event.requestContext.requestId;
        log({ level: 'error', message: 'failed', request_id: requestId, ...describe(request.error) });
      }
      request.response = refusalAnswer(refusal, localeOf(request.event.headers['accept-language']));
    },
  };
}
