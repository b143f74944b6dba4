import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';

/** Prompts the operator for a line. A secret is not echoed. */
export async function prompt(question: string, { isSecret = false } = {}): Promise<string> {
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const output = isSecret ? unseen : process.stderr;
  const lines = createInterface({ input: process.stdin, output, terminal: process.stdin.isTTY });
  process.stderr.write(question);
  try {
    for await (const line of lines) return line;
    return '';
  } finally {
    lines.close();
    if (isSecret) process.stderr.write('\n');
  }
}
