import * as z from 'zod';
import { type Client, expectReply, make } from './client.ts';

/** An answer, read by paths: `number('summary.rows.0.expected')`. A path that leads nowhere throws. */
export interface Answer {
  readonly body: unknown;
  readonly headers: Headers;
  number(path: string): number;
  text(path: string): string;
  rows(path?: string): readonly Answer[];
}

/** Somebody who is signed in. A call whose status is not the one expected ends the demo. */
export interface Person {
  /** Calls, and expects 200. */
  call(request: string, sent?: object, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** Makes a record, and gives its id. */
  make(path: string, sent: object): Promise<number>;
  /** Calls, and expects to be refused. */
  refused(status: number, request: string, sent?: object): Promise<Answer>;
}

/** Gives a client the words of the demo. */
export function personOf(client: Client): Person {
  const call = async (status: number, ...request: Parameters<Client>) => {
    const { body, headers } = await expectReply(status, client(...request));
    return answerOf(body, headers);
  };
  return {
    call: (...request) => call(200, ...request),
    make: (path, sent) => make(client, path, sent),
    refused: call,
  };
}

function answerOf(body: unknown, headers: Headers): Answer {
  return {
    body,
    headers,
    number: (path) => z.number(path).parse(valueAt(body, path)),
    text: (path) => z.string(path).parse(valueAt(body, path)),
    rows: (path = 'data') =>
      z
        .array(z.unknown())
        .parse(valueAt(body, path))
        .map((row) => answerOf(row, headers)),
  };
}

const Inner = z.union([
  z.record(z.string(), z.unknown()),
  z.array(z.unknown()).transform((list) => Object.fromEntries(list.entries())),
]);

function valueAt(body: unknown, path: string): unknown {
  return path.split('.').reduce((value, key) => Inner.parse(value)[key], body);
}
