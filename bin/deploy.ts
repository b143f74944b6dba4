import { LIVE } from '#infra/function-name.ts';
import { errorSentence } from './cli/error-sentence.ts';
import { main, print, requireOption, TEXT } from './cli/main.ts';
import { requireReadableShape } from './deploy/shape.ts';
import { updateStack } from './deploy/update.ts';
import {
  GOOD_ALIAS,
  pointAliases,
  readAliases,
  readPublished,
  removeOlder,
  type Versions,
} from './deploy/versions.ts';
import { requirePassword, smoke } from './smoke/round.ts';
import { findAddress, placeOfStage } from './stage/stack.ts';

/*
 * Deploys a stage and tests it. If that fails, every function is pointed back at its last good version, which
 * an alias of its own records. So it may be interrupted anywhere, and run again.
 */

const USAGE =
  'SMOKE_PASSWORD=… npm run deploy -- --stage <name> [--username <administrator>] [--address <url>] ' +
  '[-- <what cdk deploy takes, as -c TIME_ZONE=…>]';

const OPTIONS = { stage: TEXT, address: TEXT, username: { ...TEXT, default: 'admin' } } as const;

await main(USAGE, { options: OPTIONS, allowPositionals: true }, async ({ values, positionals }) => {
  const { address, username } = values;
  const stage = requireOption(values.stage, 'Which stage?');
  const password = requirePassword();
  print(
    `Deploys ${stage} to ${await placeOfStage(stage)}. That takes some ten minutes, the first time twenty.`,
  );
  await requireReadableShape(stage);
  const good = await readGood(stage);
  const failure = await updateStack(stage, positionals);
  if (failure !== undefined) return restoreGood(stage, good, failure);
  const published = await tryOut(stage, async () => {
    await smoke({ address: address ?? (await findAddress(stage)), username, password }, print);
  });
  await (published ? keepVersions(good, published) : goBack(stage, good));
});

/**
 * Reads the last good versions. A function without that alias gets it at its live version, before anything
 * changes, as no better one is known.
 */
async function readGood(stage: string): Promise<Versions> {
  const { live, good } = await readAliases(stage);
  const targets = new Map([...live, ...good]);
  requireAll('These could not be marked as well', await pointAliases(GOOD_ALIAS, targets, good));
  return targets;
}

/** Makes the deployed versions live and tests them; undefined, with the reason printed, if they fail. */
async function tryOut(stage: string, round: () => Promise<void>): Promise<Versions | undefined> {
  try {
    const published = await withReason("What was deployed can't be read", readPublished(stage));
    const { live } = await readAliases(stage);
    requireAll('These could not be pointed at what was deployed', await pointAliases(LIVE, published, live));
    await withReason('Not well', round());
    return published;
  } catch (error) {
    print(errorSentence(error));
    return undefined;
  }
}

/** Removes versions older than the previous good ones. The alias is moved last: it marks that all is done. */
async function keepVersions(good: Versions, published: Versions): Promise<void> {
  const removed = await removeOlder(good, published);
  requireAll('These could not be marked as well', await pointAliases(GOOD_ALIAS, published, good));
  print(
    `Deployed: ${published.size} functions are live. ${removed} versions of earlier deployments were removed.`,
  );
}

async function goBack(stage: string, good: Versions): Promise<never> {
  const { moved, stuck, targets } = await pointBack(stage, good);
  if (moved + stuck.length > 0) {
    throw new Error(`${moved} functions were pointed back at the versions that were last well. The next deployment
goes on from the new ones: fix them first, or deploy the commit before.${stuckText(stuck)}`);
  }
  const versions = [...targets].map(([name, version]) => `${name} ${version}`);
  throw new Error(`No function was pointed back: all are at the versions that were last well.
${versions.join('\n')}`);
}

/**
 * Points functions at their last good versions after a failed update. CloudFormation resets aliases to its
 * previous template, which is not the last good state if an earlier deployment was pointed back.
 */
async function restoreGood(stage: string, good: Versions, failure: string): Promise<never> {
  const { moved, stuck } = await pointBack(stage, good);
  const pointed = moved > 0 ? `\n${moved} functions were pointed at the versions that were last well.` : '';
  throw new Error(`${failure}${pointed}${stuckText(stuck)}`);
}

async function pointBack(stage: string, good: Versions) {
  const { live } = await readAliases(stage);
  const targets = new Map([...good].filter(([name]) => live.has(name)));
  const { moved, failed } = await pointAliases(LIVE, targets, live);
  return { moved, stuck: failed, targets };
}

function stuckText(stuck: readonly string[]): string {
  if (stuck.length === 0) return '';
  return `\nThese could not be pointed back, and are still new:\n${stuck.join('\n')}`;
}

function requireAll(what: string, { failed }: { readonly failed: readonly string[] }): void {
  if (failed.length > 0) throw new Error(`${what}:\n${failed.join('\n')}`);
}

async function withReason<T>(what: string, work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw new Error(`${what}: ${errorSentence(error)}`, { cause: error });
  });
}
