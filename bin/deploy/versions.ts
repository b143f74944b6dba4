import {
  CreateAliasCommand,
  DeleteFunctionCommand,
  LambdaClient,
  ListAliasesCommand,
  paginateListFunctions,
  paginateListVersionsByFunction,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { functionPrefix, LIVE } from '#infra/function-name.ts';
import { mapConcurrent } from '#lib/values/concurrency.ts';
import { readResources } from '../stage/stack.ts';

/** Version by function name. */
export type Versions = ReadonlyMap<string, string>;

/** Lambda's control plane takes fifteen calls a second per account, CloudFormation's among them. */
const AT_ONCE = 5;

const maxAttempts = Number(process.env['AWS_MAX_ATTEMPTS'] ?? 10);
const lambda = new LambdaClient({ retryMode: 'adaptive', maxAttempts });

/**
 * Alias of the last good version. No template has it: only a tested deployment moves it. Lambda deletes no
 * version with an alias, and both go with their function.
 */
export const GOOD_ALIAS = 'good';

/** Reads the aliases of a stage's functions. A function without any is left out. */
export async function readAliases(stage: string) {
  const names: string[] = [];
  for await (const { Functions = [] } of paginateListFunctions({ client: lambda }, {})) {
    names.push(...Functions.flatMap(({ FunctionName = '' }) => FunctionName));
  }
  const own = names.filter((name) => name.startsWith(functionPrefix({ name: stage })));
  const found = await mapConcurrent(own, AT_ONCE, async (FunctionName) => {
    const { Aliases = [] } = await lambda.send(new ListAliasesCommand({ FunctionName }));
    return Aliases.map(({ Name, FunctionVersion = '' }) => [Name, FunctionName, FunctionVersion] as const);
  });
  const versionsAt = (alias: string) =>
    new Map(found.flat().flatMap(([name, of, version]) => (name === alias ? [[of, version] as const] : [])));
  return { live: versionsAt(LIVE), good: versionsAt(GOOD_ALIAS) };
}

/**
 * Points an alias of every function at its version in `targets`, unless it is there already. A failure does
 * not block the others: it is returned as the command to run manually. Returns how many were moved, and those
 * commands.
 */
export async function pointAliases(alias: string, targets: Versions, now: Versions) {
  const elsewhere = [...targets].filter(([name, version]) => now.get(name) !== version);
  const failed = await mapConcurrent(elsewhere, AT_ONCE, async ([FunctionName, FunctionVersion]) => {
    const pointed = { FunctionName, Name: alias, FunctionVersion };
    const isThere = now.has(FunctionName);
    try {
      await (isThere
        ? lambda.send(new UpdateAliasCommand(pointed))
        : lambda.send(new CreateAliasCommand(pointed)));
      return [];
    } catch {
      const command = `${isThere ? 'update' : 'create'}-alias --function-name ${FunctionName}`;
      return [`aws lambda ${command} --name ${alias} --function-version ${FunctionVersion}`];
    }
  });
  return { moved: elsewhere.length - failed.flat().length, failed: failed.flat() };
}

/**
 * Reads the versions that CloudFormation assumes to be live. It doesn't check where aliases really point:
 * functions that an earlier deployment pointed back, and that this one didn't change, are still on their old
 * versions.
 */
export async function readPublished(stage: string): Promise<Versions> {
  return new Map(await versionsIn(`retail-${stage}`));
}

async function versionsIn(stack: string): Promise<[name: string, version: string][]> {
  const found = (await readResources(stack)).map(
    async ({ type, name, isGone }): Promise<[string, string][]> => {
      if (isGone) return [];
      if (type === 'AWS::CloudFormation::Stack') return await versionsIn(name);
      // arn:aws:lambda:<region>:<account>:function:<name>:<version>
      const [version = '', functionName = ''] = name.split(':').reverse();
      return type === 'AWS::Lambda::Version' ? [[functionName, version]] : [];
    },
  );
  return (await Promise.all(found)).flat();
}

/**
 * Removes the versions of updated functions, except the new good one and the previous one; returns how many.
 */
export async function removeOlder(good: Versions, now: Versions): Promise<number> {
  const changed = [...now].filter(([name, version]) => good.get(name) !== version);
  const removed = await mapConcurrent(changed, AT_ONCE, async ([FunctionName, live]) => {
    const versions: string[] = [];
    for await (const page of paginateListVersionsByFunction({ client: lambda }, { FunctionName })) {
      versions.push(...(page.Versions ?? []).flatMap(({ Version = '' }) => Version));
    }
    const retained = new Set(['$LATEST', live, good.get(FunctionName)]);
    const older = versions.filter((version) => !retained.has(version));
    for (const Qualifier of older) {
      await lambda.send(new DeleteFunctionCommand({ FunctionName, Qualifier }));
    }
    return older.length;
  });
  return removed.reduce((sum, count) => sum + count, 0);
}
