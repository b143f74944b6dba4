import { Confirmation } from '#lib/http/answer.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { seeAll } from '#lib/people/notification.ts';

export const PATCH = endpoint({
  right: 'signed-in',
  answers: Confirmation,
  run: ({ actor }) => seeAll(actor),
});
