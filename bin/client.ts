import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiOf } from '#infra/reference/document.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { DEMO_PASSWORD } from './local/demo-data.ts';
import { startProcess } from './local/process.ts';

/*
 * Checks the reference as integrators use it: two linters, and a client that is generated from it, which must
 * compile under `--strict`, sign in, sell and read.
 */

const FOLDER = join(import.meta.dirname, '../tests/client');
const DOCUMENT = 'generated/openapi.json';
const TYPES = 'generated/api.d.ts';

// Telemetry would ask for something elsewhere.
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

if (!existsSync(join(FOLDER, 'node_modules')))
  run('npm', 'ci', '--no-audit', '--no-fund', '--ignore-scripts');
mkdirSync(join(FOLDER, 'generated'), { recursive: true });
writeFileSync(join(FOLDER, DOCUMENT), JSON.stringify(openApiOf(await discoverRoutes())));
tool('redocly', 'lint', '--config', 'redocly.yaml', '--max-problems', '20', DOCUMENT);
tool('spectral', 'lint', '--ruleset', '.spectral.yaml', '--fail-severity', 'warn', DOCUMENT);
// A default is what the service takes for what is left out: it makes no field of a body obligatory.
tool('openapi-typescript', DOCUMENT, '--output', TYPES, '--default-non-nullable', 'false');
tool('tsc', '--project', '.');
await useClient();

/** Runs the client against a service with the demo's data. */
async function useClient(): Promise<void> {
  const { address, stop } = await startProcess();
  try {
    run(process.execPath, 'client.ts', address, 'director', DEMO_PASSWORD);
  } finally {
    await stop();
  }
}

function tool(name: string, ...args: readonly string[]): void {
  run(join('node_modules/.bin', name), ...args);
}

function run(command: string, ...args: readonly string[]): void {
  const { status, error } = spawnSync(command, args, { cwd: FOLDER, env, stdio: 'inherit' });
  if (status !== 0) {
    throw new Error(`${command} ${args.join(' ')} ended with ${status ?? error?.message}`);
  }
}
