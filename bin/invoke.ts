import { readSample } from './invoke/sample.ts';
import { Misuse, main, print } from './program/main.ts';

/* Gives sample events to their functions, on demo data in memory, and prints what these answer. */

const USAGE = `npm run invoke -- <event>…

An event is a file like events/brand-create.json: of API Gateway, of SQS or of the table's stream. In it
{{director}} stands for a token of that demo account.`;

await main(USAGE, { allowPositionals: true }, async ({ positionals: files }) => {
  if (files.length === 0) throw new Misuse('Which event?');
  const samples = await Promise.all(files.map(readSample));
  // The service takes seconds to start: what is no event is told before it.
  const { answersTo } = await import('./invoke/answer.ts');
  for await (const answer of answersTo(samples)) print(JSON.stringify(answer ?? null, null, 2));
});
process.exit();
