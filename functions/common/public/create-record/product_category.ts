import * as categories from '#lib/catalog/category.ts';
import { quickCreation } from '#lib/http/quick-creation.ts';

export const POST = quickCreation({
  body: categories.CategoryName,
  response: categories.NamedCategory,
  note:
    'All types share three calls a minute, and every call counts. There is no nested set: `lft` and `rgt` ' +
    'are those of a leaf added last.',
  run: ({ actor, body, at }) => categories.createNamedCategory(actor, body.name, at),
});
