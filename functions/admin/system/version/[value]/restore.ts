import { endpoint } from '#lib/http/endpoint.ts';
import { Confirmation } from '#lib/http/wire/answer.ts';
import * as versions from '#lib/platform/version.ts';

export const DELETE = endpoint({
  right: 'admin.system.version.restore',
  answers: Confirmation,
  run: ({ actor, id, at }) => versions.restore(actor, id, at),
});
