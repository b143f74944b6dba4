import { endpoint } from '#lib/http/endpoint.ts';
import * as languages from '#lib/platform/language.ts';

export const GET = endpoint({
  right: 'admin.system.language.show',
  query: languages.LanguageEmbeds,
  response: languages.Language,
  run: ({ actor, id, query }) => languages.get(actor, id, query),
});

export const PUT = endpoint({
  right: 'admin.system.language.update',
  accepts: 'multipart',
  body: languages.LanguageInput,
  response: languages.EditedLanguage,
  uses: ['public:write', 'queue:discard-files'],
  run: ({ actor, id, body, at }) => languages.edit(actor, id, body, at),
});
