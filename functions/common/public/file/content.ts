import { FileOrLink } from '#lib/http/answer.ts';
import { endpoint } from '#lib/http/endpoint.ts';
import { PublicFilePath, publicFile } from '#lib/system/public-file.ts';

export const GET = endpoint({
  right: 'signed-in',
  query: PublicFilePath,
  answers: FileOrLink,
  uses: ['files:read'],
  run: ({ query }) => publicFile(query),
});
