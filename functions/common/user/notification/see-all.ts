import { endpoint } from '#lib/http/endpoint.ts';
import { seeAll } from '#lib/people/notification.ts';

export const PATCH = endpoint({
  right: 'signed-in',
  run: ({ actor }) => seeAll(actor),
});
