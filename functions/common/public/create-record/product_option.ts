import * as options from '#lib/catalog/option.ts';
import { quickCreation } from '#lib/http/quick-creation.ts';

export const POST = quickCreation({
  body: options.OptionInput,
  answers: options.Option,
  run: ({ actor, body, at }) => options.create(actor, body, at),
});
