import {
  DeleteFunctionCommand,
  GetAliasCommand,
  LambdaClient,
  paginateListFunctions,
  paginateListVersionsByFunction,
  ResourceNotFoundException,
  UpdateAliasCommand,
} from '@aws-sdk/client-lambda';
import { functionPrefix, LIVE } from '#infra/function-name.ts';
import { sideBySide } from '#lib/table/side-by-side.ts';
import { readStack } from '../stage/stack.ts';

/** The live version of each function, by the function's name. */
export type LiveVersions = ReadonlyMap<string, string>;

/** Lambda's control plane takes fifteen calls a second of an account, CloudFormation's among them. */
const AT_ONCE = 5;

const lambda = new LambdaClient({ retryMode: 'adaptive', maxAttempts: 10 });

/** Reads which versions of a stage's functions are live. A function that has none yet is left out. */
export async function readLive(stage: string): Promise<LiveVersions> {
  const names: string[] = [];
  for await (const { Functions = [] } of paginateListFunctions({ client: lambda }, {})) {
    names.push(...Functions.flatMap(({ FunctionName = '' }) => FunctionName));
  }
  const own = names.filter((name) => name.startsWith(functionPrefix({ name: stage })));
  const live = await sideBySide(own, AT_ONCE, async (name) => {
    const version = await liveVersionOf(name);
    return version === undefined ? [] : [[name, version] as const];
  });
  return new Map(live.flat());
}

/**
 * Reads which versions CloudFormation holds for live. It doesn't look where aliases really point: functions
 * that an earlier deployment pointed back, and that this one didn't change, are still on their old ones.
 */
export async function readPublished(stage: string): Promise<LiveVersions> {
  return new Map(await publishedIn(`retail-${stage}`));
}

async function publishedIn(stack: string): Promise<[name: string, version: string][]> {
  const { resources } = await readStack(stack);
  const found = resources.map(async ({ type, name, isGone }): Promise<[string, string][]> => {
    if (isGone) return [];
    if (type === 'AWS::CloudFormation::Stack') return await publishedIn(name);
    // arn:aws:lambda:<region>:<account>:function:<name>:<version>
    const [version = '', functionName = ''] = name.split(':').reverse();
    return type === 'AWS::Lambda::Version' ? [[functionName, version]] : [];
  });
  return (await Promise.all(found)).flat();
}

async function liveVersionOf(name: string): Promise<string | undefined> {
  try {
    const { FunctionVersion } = await lambda.send(new GetAliasCommand({ FunctionName: name, Name: LIVE }));
    return FunctionVersion;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** How many functions were pointed elsewhere, and the commands for those that could not be. */
interface Pointed {
  readonly moved: number;
  readonly failed: readonly string[];
}

/**
 * Points every function at its version of `wanted`, unless it is there already. One that fails keeps no other
 * from being moved: it is told as the command that a person then types.
 */
export async function pointAt(wanted: LiveVersions, now: LiveVersions): Promise<Pointed> {
  const elsewhere = [...wanted].filter(([name, version]) => now.has(name) && now.get(name) !== version);
  const failed = await sideBySide(elsewhere, AT_ONCE, async ([FunctionName, FunctionVersion]) => {
    try {
      await lambda.send(new UpdateAliasCommand({ FunctionName, Name: LIVE, FunctionVersion }));
      return [];
    } catch {
      return [
        `aws lambda update-alias --function-name ${FunctionName} --name ${LIVE} --function-version ${FunctionVersion}`,
      ];
    }
  });
  return { moved: elsewhere.length - failed.flat().length, failed: failed.flat() };
}

/** Removes the versions of functions that are neither live nor were so before; answers with how many. */
export async function removeOlder(before: LiveVersions, now: LiveVersions): Promise<number> {
  const removed = await sideBySide([...now], AT_ONCE, async ([FunctionName, live]) => {
    const versions: string[] = [];
    for await (const page of paginateListVersionsByFunction({ client: lambda }, { FunctionName })) {
      versions.push(...(page.Versions ?? []).flatMap(({ Version = '' }) => Version));
    }
    const kept = new Set(['$LATEST', live, before.get(FunctionName)]);
    const older = versions.filter((version) => !kept.has(version));
    for (const Qualifier of older) {
      await lambda.send(new DeleteFunctionCommand({ FunctionName, Qualifier }));
    }
    return older.length;
  });
  return removed.reduce((sum, count) => sum + count, 0);
}
