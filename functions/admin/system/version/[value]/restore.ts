import { endpoint } from '#lib/http/endpoint.ts';
import * as versions from '#lib/platform/version.ts';

export const DELETE = endpoint({
  right: 'admin.system.version.restore',
  run: ({ actor, id, at }) => versions.restore(actor, id, at),
});
