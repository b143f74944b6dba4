import * as specifications from '#lib/catalog/specification.ts';
import { quickCreation } from '#lib/http/quick-creation.ts';

export const POST = quickCreation({
  body: specifications.SpecificationInput,
  response: specifications.Specification,
  note: 'All types share three calls a minute, and every call counts.',
  run: ({ actor, body, at }) => specifications.create(actor, body, at),
});
