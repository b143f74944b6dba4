import * as specifications from '#lib/catalog/specification.ts';
import { endpoint } from '#lib/http/endpoint.ts';

export const GET = endpoint({
  right: 'company.product.specification.show',
  query: specifications.Embeds,
  response: specifications.Specification,
  run: ({ actor, id, query }) => specifications.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'company.product.specification.update',
  body: specifications.SpecificationInput,
  response: specifications.Specification,
  run: ({ actor, id, body, at }) => specifications.edit(actor, id, body, at),
});

export const DELETE = endpoint({
  right: 'company.product.specification.destroy',
  note:
    "400 if the specification has options. Its deleted options can't be restored while the specification is " +
    'deleted.',
  run: ({ actor, id, at }) => specifications.remove(actor, id, at),
});
