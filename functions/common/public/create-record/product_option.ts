import * as options from '#lib/catalog/option.ts';
import { quickCreation } from '#lib/http/quick-creation.ts';

export const POST = quickCreation({
  body: options.OptionInput,
  response: options.Option,
  note: 'All types share three calls a minute, and every call counts.',
  run: ({ actor, body, at }) => options.create(actor, body, at),
});
