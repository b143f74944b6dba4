import { endpoint } from '#lib/http/endpoint.ts';
import * as notifications from '#lib/people/notification.ts';

export const GET = endpoint({
  right: 'signed-in',
  response: notifications.Notification,
  uses: ['table:write'],
  run: ({ actor, id, locale }) => notifications.markSeen(actor, id, locale),
});
