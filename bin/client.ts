import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApiOf } from '#infra/reference/document.ts';
import { discoverRoutes } from '#infra/routes.ts';
import { takeArguments } from './cli/main.ts';
import { DEMO_PASSWORD } from './local/demo-data.ts';
import { startProcess } from './local/process.ts';

/*
 * Checks the reference as integrators use it: with two linters; with a generated client, which must compile
 * under `--strict`, sign in, sell and read; with the till of `bin/demo/till/`, which must compile; and with
 * clients of all generators that the guide names.
 */

const USAGE = `npm run client

Lints the reference with two linters, generates a client from it, which signs in, sells and reads on a service of
its own. Takes a minute or two, and installs its tools the first time.`;

takeArguments(USAGE, {});

const FOLDER = join(import.meta.dirname, '../tests/client');
const GUIDE = join(import.meta.dirname, '../infra/reference/page/generate.html');
const DOCUMENT = 'generated/openapi.json';
const TYPES = 'generated/api.d.ts';

/** Entry files of clients that are folders. */
const ENTRIES: ReadonlyMap<string, readonly string[]> = new Map([
  ['hey-api', ['index.ts']],
  ['swagger-typescript-api', ['Api.ts']],
]);

/** Options of modern projects: generated code imports its own files without extensions. */
const COMPILING = [
  ...['--noEmit', '--strict', '--target', 'es2024', '--lib', 'es2024,dom,dom.iterable'],
  ...['--module', 'esnext', '--moduleResolution', 'bundler'],
];

// Telemetry would access the network.
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

if (!existsSync(join(FOLDER, 'node_modules')))
  run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts']);
mkdirSync(join(FOLDER, 'generated'), { recursive: true });
writeFileSync(join(FOLDER, DOCUMENT), JSON.stringify(openApiOf(await discoverRoutes())));
tool('redocly', 'lint', '--config', 'redocly.yaml', '--max-problems', '20', DOCUMENT);
tool('spectral', 'lint', '--ruleset', '.spectral.yaml', '--fail-severity', 'warn', DOCUMENT);
tool('openapi-typescript', DOCUMENT, '--output', TYPES);
tool('tsc', '--project', '.');
tool('tsc', '--project', '../../bin/demo/till');
compileGenerated();
await useClient();

/**
 * Runs each generator of the guide by its documented command, and compiles the result. It runs in a folder
 * outside this project: npx does not install packages that the project has, and generators need them.
 */
function compileGenerated(): void {
  const [, commands = ''] = /<pre id="generate">(.*?)<\/pre>/s.exec(readFileSync(GUIDE, 'utf8')) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'client-'));
  try {
    cpSync(join(FOLDER, DOCUMENT), join(folder, 'openapi.json'));
    const made = commands.trim().split('\n').map(generateIn(folder));
    const compiled = made.map((name) => join('generated', name, ...(ENTRIES.get(name) ?? [])));
    tool('tsc', ...COMPILING, ...compiled);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs a command of the guide in a folder, copies the result to the others, and returns its name. */
function generateIn(folder: string): (command: string) => string {
  return (command) => {
    const [program = '', ...words] = command.replace('$API/openapi.json', 'openapi.json').split(' ');
    run(program, words, folder);
    const name = words[words.indexOf('--output') + 1] ?? '';
    cpSync(join(folder, name), join(FOLDER, 'generated', name), { recursive: true });
    return name;
  };
}

/** Runs the client against a service with the demo data. */
async function useClient(): Promise<void> {
  const { address, stop } = await startProcess();
  try {
    run(process.execPath, ['client.ts', address, 'director', DEMO_PASSWORD]);
  } finally {
    await stop();
  }
}

function tool(name: string, ...args: readonly string[]): void {
  run(join('node_modules/.bin', name), args);
}

function run(command: string, args: readonly string[], cwd = FOLDER): void {
  const { status, error } = spawnSync(command, args, { cwd, env, stdio: 'inherit' });
  if (status !== 0) {
    throw new Error(`${command} ${args.join(' ')} ended with ${status ?? error?.message}`);
  }
}
