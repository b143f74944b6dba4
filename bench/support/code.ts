import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { BUNDLING, ROOT } from '#infra/bundle/settings.ts';

/** Code of a function: the module to import, and the export to call. */
export interface Code {
  readonly file: string;
  readonly handler: string;
}

// Bundled like the functions, but with the whole SDK, as a beginner's function would be.
const HELLO_WORLD_SOURCE = `
  import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
  import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
  const dynamo = DynamoDBDocumentClient.from(new DynamoDBClient({}));
  export const handler = ({ pk, sk }) => dynamo.send(new GetCommand({ TableName: 'table', Key: { pk, sk } }));`;

const run = promisify(execFile);

/** Bundles the hello-world. */
export async function bundleHelloWorld(): Promise<Code> {
  const file = join(ROOT, '.build/bench/hello-world/index.mjs');
  await build({ ...BUNDLING, stdin: { contents: HELLO_WORLD_SOURCE, resolveDir: ROOT }, outfile: file });
  return { file, handler: 'handler' };
}

/** Imports a function as Lambda would, and returns the CPU time. Throws if it does not exist. */
export async function importTime({ file, handler }: Code): Promise<number> {
  const program = `const began = process.cpuUsage();
    const module = await import(${JSON.stringify(pathToFileURL(file).href)});
    const { user, system } = process.cpuUsage(began);
    if (typeof module.${handler} !== 'function') throw new Error('It has no ${handler}');
    process.stdout.write(String((user + system) / 1000));`;
  const env = { ...process.env, AWS_REGION: 'us-east-1', _HANDLER: `index.${handler}` };
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { env });
  const time = Number(stdout);
  if (!(time > 0)) throw new Error(`The import of ${file} took ${stdout}`);
  return time;
}
