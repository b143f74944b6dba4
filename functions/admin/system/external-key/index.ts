import { endpoint } from '#lib/http/endpoint.ts';
import { listing } from '#lib/http/listing.ts';
import * as externalKeys from '#lib/platform/external-key.ts';

export const GET = listing({
  right: 'admin.system.external-key.index',
  query: externalKeys.List,
  rows: externalKeys.ExternalKey,
  run: ({ actor, query }) => externalKeys.list(actor, query),
});

export const POST = endpoint({
  right: 'admin.system.external-key.store',
  body: externalKeys.ExternalKeyInput,
  response: externalKeys.NewExternalKey,
  note:
    'The key is returned only once. A key for a partner can only be created by administrators with access to ' +
    'all companies. A request with the key names its company by exactly one UUID header; the key of a main ' +
    'company also has access to the desks of its branches.',
  run: ({ actor, body, at }) => externalKeys.create(actor, body, at),
});
