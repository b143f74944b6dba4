import { main, print, UsageError } from './cli/main.ts';
import { readSample } from './invoke/sample.ts';

/* Invokes functions with sample events, on demo data in memory, and prints their responses. */

const USAGE = `npm run invoke -- <event>…

An event is a file like events/brand-create.json: of API Gateway, of SQS or of the table's stream. In it
{{director}} is replaced by a token of that demo account.`;

await main(USAGE, { allowPositionals: true }, async ({ positionals: files }) => {
  if (files.length === 0) throw new UsageError('Which event?');
  const samples = await Promise.all(files.map(readSample));
  // Validate the events first: starting the service takes seconds.
  const { invokeEvents } = await import('./invoke/invoke-events.ts');
  for await (const answer of invokeEvents(samples)) print(JSON.stringify(answer ?? null, null, 2));
});
process.exit();
