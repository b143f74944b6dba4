import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

/** Creates a path on which `npx` is a script of a test's own, in the place of CDK. */
export function pathWithNpx(script: string): string {
  const commands = mkdtempSync(join(tmpdir(), 'retail-npx-'));
  const npx = join(commands, 'npx');
  writeFileSync(npx, `#!/bin/sh\n${script}\n`);
  chmodSync(npx, 0o755);
  return `${commands}${delimiter}${process.env['PATH']}`;
}
