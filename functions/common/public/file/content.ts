import { endpoint } from '#lib/http/endpoint.ts';
import { FileOrLink } from '#lib/http/wire/response.ts';
import { PublicFilePath, publicFile } from '#lib/uploads/public-file.ts';

export const GET = endpoint({
  right: 'signed-in',
  query: PublicFilePath,
  response: FileOrLink,
  uses: ['public:read'],
  note:
    'The file is always an attachment. Over 4 MB the answer is a 302 to a link that is good for five ' +
    'minutes.',
  run: ({ query }) => publicFile(query),
});
