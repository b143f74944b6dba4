import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { type Dollars, NOTHING } from './dollars.ts';
import { PRICES } from './prices.ts';

const Template = z.looseObject({
  Resources: z.record(z.string(), z.looseObject({ Type: z.string() })),
});

/** Five pollers of a queue ask three times a minute. */
const POLLS = 5 * 3 * 60 * 24 * 30;

const RUNS_A_DAY = 30;

/** Prices a month in which nobody calls, by what the templates hold. */
export function idleMonth(): Dollars {
  const types = synthesizedTypes();
  const count = (type: string) => types.filter((each) => each === type).length;
  const { month } = PRICES;
  const fixed =
    count('AWS::CloudWatch::Alarm') * month.alarm +
    count('AWS::CloudWatch::Dashboard') * month.dashboard +
    count('AWS::SecretsManager::Secret') * month.secret +
    count('AWS::KMS::Key') * month.key +
    count('AWS::Lambda::EventSourceMapping') * POLLS * month.queue_poll +
    count('AWS::Scheduler::Schedule') * RUNS_A_DAY * month.schedule_call;
  return { ...NOTHING, fixed };
}

/** The types of all resources of all stacks, as `npm run synth` makes them. */
function synthesizedTypes(): string[] {
  const directory = mkdtempSync(join(tmpdir(), 'retail-cost-'));
  const made = spawnSync('npx', ['cdk', 'synth', '--quiet', '--output', directory], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(made.stderr);
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.template.json'))
    .flatMap((name) => {
      const { Resources } = Template.parse(JSON.parse(readFileSync(join(directory, name), 'utf8')));
      return Object.values(Resources).map(({ Type }) => Type);
    });
}
