import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';
import { seeAll } from '#lib/people/notification.ts';

export const PATCH = endpoint({
  right: 'signed-in',
  answers: Confirmation,
  run: ({ actor }) => seeAll(actor),
});
