import { main } from './cli/main.ts';
import { playBilling } from './demo/billing.ts';
import { playDay } from './demo/day.ts';
import { playMonth } from './demo/month/play.ts';
import { playOffline } from './demo/offline.ts';
import { setUpDemo } from './demo/shop.ts';
import { playWebhooks } from './demo/webhooks.ts';

/*
 * Plays a story in a shop of its own, over HTTP, against the service of `npm start`: a day, or another story
 * by its name. A new one is a file in `bin/demo/` and a line here.
 */

const STORIES = {
  day: playDay,
  shop: playMonth,
  billing: playBilling,
  webhooks: playWebhooks,
  offline: playOffline,
};

await main('npm run demo -- [<story>]', { allowPositionals: true }, async ({ positionals }) => {
  const address = process.env['API'] ?? `http://127.0.0.1:${process.env['PORT'] ?? 3000}`;
  const [word = 'day'] = positionals;
  const story = Object.entries(STORIES).find(([name]) => name === word)?.[1];
  if (!story) throw new Error(`There is no story ${word}. There are: ${Object.keys(STORIES).join(', ')}.`);
  await fetch(address).catch(() => {
    throw new Error(`No service answers at ${address}. Start it in another terminal: npm start`);
  });
  await story(await setUpDemo(address));
});
