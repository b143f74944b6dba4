import { setUpDemo } from './demo/shop.ts';

/*
 * Plays in a shop of its own, over HTTP, against the service that `npm start` runs: a day, or with another
 * word one of the other stories. A new one is a file in `bin/demo/` and a line here.
 */

const STORIES = {
  day: async () => (await import('./demo/day.ts')).playDay,
  billing: async () => (await import('./demo/billing.ts')).playBilling,
};

const address = process.env['API'] ?? `http://127.0.0.1:${process.env['PORT'] ?? 3000}`;
const word = process.argv[2] ?? 'day';
const story = Object.entries(STORIES).find(([name]) => name === word)?.[1];

if (!story) exit(`There is no story ${word}. There are: ${Object.keys(STORIES).join(', ')}.`);
await fetch(address).catch(() =>
  exit(`No service answers at ${address}. Start it in another terminal: npm start`),
);
await (await story())(await setUpDemo(address, say));

function say(sentence: string): void {
  process.stdout.write(`${sentence}\n`);
}

function exit(sentence: string): never {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}
