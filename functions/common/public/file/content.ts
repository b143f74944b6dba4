import { endpoint } from '#lib/http/endpoint.ts';
import { FileOrLink } from '#lib/http/wire/response.ts';
import { PublicFilePath, publicFile } from '#lib/uploads/public-file.ts';

export const GET = endpoint({
  right: 'signed-in',
  query: PublicFilePath,
  response: FileOrLink,
  uses: ['public:read'],
  note:
    'Always sent as an attachment. For a file over 4 MB the response is a 302 to a link valid for five ' +
    'minutes.',
  run: ({ query }) => publicFile(query),
});
