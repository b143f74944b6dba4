import { main, print, UsageError } from './cli/main.ts';
import { readSample } from './invoke/sample.ts';

/* Gives sample events to their functions, on demo data in memory, and prints what these answer. */

const USAGE = `npm run invoke -- <event>…

An event is a file like events/brand-create.json: of API Gateway, of SQS or of the table's stream. In it
{{director}} stands for a token of that demo account.`;

await main(USAGE, { allowPositionals: true }, async ({ positionals: files }) => {
  if (files.length === 0) throw new UsageError('Which event?');
  const samples = await Promise.all(files.map(readSample));
  // The service takes seconds to start: what is no event is told before it.
  const { invokeEvents } = await import('./invoke/invoke-events.ts');
  for await (const answer of invokeEvents(samples)) print(JSON.stringify(answer ?? null, null, 2));
});
process.exit();
