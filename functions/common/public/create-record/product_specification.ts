import * as specifications from '#lib/catalog/specification.ts';
import { quickCreation } from '#lib/http/quick-creation.ts';

export const POST = quickCreation({
  body: specifications.SpecificationInput,
  response: specifications.Specification,
  note: 'Limited to three requests a minute over all types, successful or not.',
  run: ({ actor, body, at }) => specifications.create(actor, body, at),
});
