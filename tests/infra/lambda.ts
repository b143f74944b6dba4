import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A function as Lambda runs it: its code, the name of its export, and all that its environment holds. */
interface Deployed {
  readonly directory: string;
  readonly handler: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
}

const CLIENT = join(import.meta.dirname, 'ric/node_modules/aws-lambda-ric/index.mjs');
const NATIVE = pathToFileURL(join(import.meta.dirname, 'ric/native.mjs')).href;

/**
 * Invokes a function with events in a process of its own, under AWS's own runtime client, as Lambda does: one
 * after the other. Throws the error of the function, or of its start.
 */
export async function invoke(deployed: Deployed, events: readonly object[]): Promise<unknown[]> {
  const answers: unknown[] = [];
  const done = Promise.withResolvers<void>();
  const server = createServer((request, response) => {
    serve(request, response).catch(done.reject);
  });

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    if (path.endsWith('/invocation/next')) {
      const event = events[answers.length];
      // An idle environment waits, frozen.
      if (!event) return;
      response.writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': randomUUID(),
        'lambda-runtime-deadline-ms': String(Date.now() + deployed.timeoutMs),
        'lambda-runtime-invoked-function-arn': 'arn:aws:lambda:us-east-1:111122223333:function:proof',
      });
      return void response.end(JSON.stringify(event));
    }
    const body = await textOf(request);
    response.writeHead(202).end('{}');
    if (!path.endsWith('/response')) throw new Error(`${path}: ${body}`);
    answers.push(JSON.parse(body));
    if (answers.length === events.length) done.resolve();
  }

  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' && bound ? bound.port : 0;
  const runtime = start(deployed, `127.0.0.1:${port}`);
  let said = '';
  for (const stream of [runtime.stdout, runtime.stderr]) stream?.on('data', (chunk) => (said += chunk));
  runtime.once('exit', (code) => done.reject(new Error(`The runtime ended with ${code}: ${said}`)));
  try {
    await done.promise;
    return answers;
  } finally {
    runtime.removeAllListeners('exit');
    runtime.kill('SIGKILL');
    server.closeAllConnections();
    server.close();
  }
}

function start({ directory, handler, environment }: Deployed, api: string): ChildProcess {
  return spawn(process.execPath, ['--import', NATIVE, CLIENT, `index.${handler}`], {
    cwd: directory,
    // No variables of this process, only Lambda's own.
    env: {
      AWS_LAMBDA_RUNTIME_API: api,
      AWS_LAMBDA_FUNCTION_NAME: 'proof',
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      AWS_LAMBDA_LOG_GROUP_NAME: 'proof',
      AWS_LAMBDA_LOG_STREAM_NAME: 'proof',
      _HANDLER: `index.${handler}`,
      LAMBDA_TASK_ROOT: directory,
      TZ: ':UTC',
      ...environment,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return text;
}
