import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';

const Resource = z.looseObject({
  Type: z.string(),
  Properties: z.record(z.string(), z.unknown()).default({}),
});

const Template = z.looseObject({ Resources: z.record(z.string(), Resource) });

/** A paid resource, by CloudFormation's names. */
export type PaidResource = z.output<typeof Resource> & { readonly id: string };

/** Synthesizes all stacks as `npm run synth` does, with these settings, and lists their resources. */
export function synthesizeAll(...context: readonly string[]): PaidResource[] {
  const directory = mkdtempSync(join(tmpdir(), 'retail-cost-'));
  const settings = context.flatMap((each) => ['-c', each]);
  const args = ['cdk', 'synth', '--quiet', '--output', directory, ...settings];
  const made = spawnSync('npx', args, { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
  const resources = readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.template.json'))
    .flatMap((name) => {
      const { Resources } = Template.parse(JSON.parse(readFileSync(join(directory, name), 'utf8')));
      return Object.entries(Resources).map(([id, resource]) => ({ ...resource, id }));
    });
  rmSync(directory, { recursive: true });
  return resources;
}
