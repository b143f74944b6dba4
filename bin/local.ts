import { createServer } from 'node:http';
import { join } from 'node:path';
import { listen } from './cli/listen.ts';
import { main, print, TEXT } from './cli/main.ts';
import { instantOf, type LocalClock, newClock } from './local/clock.ts';
import { announce, finishDirectory, prepareDirectory } from './local/data-directory.ts';
import { chooseEngine } from './local/database/engine.ts';
import { DEMO_ACCOUNTS, DEMO_PASSWORD, makeDemoData } from './local/demo-data.ts';
import { type LocalService, startService } from './local/service.ts';

const USAGE = 'npm start -- [--memory] [--clock 2026-12-01T10:00]';

await main(USAGE, { options: { memory: { type: 'boolean' }, clock: TEXT } }, async ({ values }) => {
  const port = Number(process.env['PORT'] ?? 3000);
  await requireFree(port);
  const { name, title } = chooseEngine();
  const directory = values.memory ? undefined : join(process.cwd(), '.local');
  const aside = directory && prepareDirectory(directory, name, Date.now());
  if (aside)
    print(`The data here had another format. They were moved to ${aside}; the service starts empty.`);
  const service = await startService(port, directory, clockAt(values.clock), makeDemoData);
  if (directory) finishDirectory(directory);
  // A parent process is notified by a message.
  const withdraw = process.send ? () => {} : announce(service.settings);
  stopOn(['SIGINT', 'SIGTERM'], async () => {
    withdraw();
    await service.stop();
  });
  process.once('disconnect', () => void service.stop().then(() => process.exit()));
  // If the parent has exited, later log lines are dropped.
  if (process.send) process.stdout.on('error', () => {});
  print(welcome(service, directory, title));
  process.send?.({ address: service.address, settings: service.settings });
});
// Parts started before the failure would keep the process running.
if (process.exitCode) process.exit();

function clockAt(minute: string | undefined): LocalClock {
  const clock = newClock();
  const at = minute === undefined ? undefined : instantOf(minute);
  if (minute !== undefined && at === undefined) {
    throw new Error('Which time? For instance: npm start -- --clock 2026-12-01T10:00');
  }
  clock.set(at);
  return clock;
}

function stopOn(signals: NodeJS.Signals[], stop: () => Promise<void>): void {
  let isStopping = false;
  for (const signal of signals) {
    // The signal may come twice, from the terminal and from npm: the second must not kill a service that is
    // stopping.
    process.on(signal, () => {
      if (isStopping) return;
      isStopping = true;
      stop().then(
        () => process.exit(0),
        () => process.exit(1),
      );
    });
  }
}

/** Fails if the port is taken, before preparing data, which takes seconds. */
async function requireFree(port: number): Promise<void> {
  const probe = await listen(createServer(), port).catch((error: unknown) => {
    throw isTaken(error)
      ? new Error(`Port ${port} is taken. Choose another: PORT=${port + 1} npm start`)
      : error;
  });
  await probe.stop();
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function welcome({ address, settings }: LocalService, directory: string | undefined, engine: string): string {
  const accounts = DEMO_ACCOUNTS.map(({ username, what }) => `  ${username.padEnd(16)} ${what}`).join('\n');
  return `
Retail back office: ${address}
Reference: ${address}/docs, for newcomers ${address}/docs/begin
Till: ${address}/till, as cashier; with shifts as branch-cashier
Payment gateway: ${settings['GATEWAY_URL']}, a simulator; both sides sign by GATEWAY_SECRET=${settings['GATEWAY_SECRET']}
  codes 111111 right, 000000 wrong, 999999 expired; card 8600000000000503 down, 8600000000000504 slow
${directory ? `Data: ${directory}` : 'Data: in memory, gone when this stops'}
The table is served by ${engine}.

Accounts, all with the password ${DEMO_PASSWORD}:
${accounts}

Sign in and sell two bottles of water:
  TOKEN=$(curl -s ${address}/common/auth/login -H 'Content-Type: application/json' \\
    -d '{"username":"director","password":"${DEMO_PASSWORD}"}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
  curl -s ${address}/company/trade/sale -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
    -d '{"cashbox_id":3,"stock_id":1,"currency":"uzs","products":[{"product_id":1,"sold_quantity":2}],
         "transactions":[{"payment_type":"cash","amount":8000}]}'

A whole day in a shop: npm run demo, in another terminal.

Ctrl-C stops it.`;
}
