import { listing } from '#lib/http/listing.ts';
import * as notifications from '#lib/people/notification.ts';

export const GET = listing({
  right: 'signed-in',
  query: notifications.NotificationList,
  rows: notifications.Notification,
  run: ({ actor, query, locale }) => notifications.list(actor, query, locale),
});
