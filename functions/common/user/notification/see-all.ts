import { endpoint } from '#lib/http/endpoint.ts';
import { markAllSeen } from '#lib/people/notification.ts';

export const PATCH = endpoint({
  right: 'signed-in',
  run: ({ actor }) => markAllSeen(actor),
});
