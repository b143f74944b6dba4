import { IMPORTS } from '#lib/auth/rate-limit.ts';
import { exampleClients } from '#lib/clients/import.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { FileContent } from '#lib/http/wire/response.ts';

export const GET = endpoint({
  right: 'company.client.client.download-example',
  limit: IMPORTS,
  response: FileContent,
  uses: ['table:write'],
  run: ({ locale }) => exampleClients(locale),
});
