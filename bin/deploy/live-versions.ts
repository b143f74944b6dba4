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

async function liveVersionOf(name: string): Promise<string | undefined> {
  try {
    const { FunctionVersion } = await lambda.send(new GetAliasCommand({ FunctionName: name, Name: LIVE }));
    return FunctionVersion;
  } catch (error) {
    if (error instanceof ResourceNotFoundException) return undefined;
    throw error;
  }
}

/** Points every function back at the version that was live; answers with how many had another. */
export async function pointBack(before: LiveVersions, now: LiveVersions): Promise<number> {
  const changed = [...before].filter(([name, version]) => now.has(name) && now.get(name) !== version);
  await sideBySide(changed, AT_ONCE, ([FunctionName, FunctionVersion]) =>
    lambda.send(new UpdateAliasCommand({ FunctionName, Name: LIVE, FunctionVersion })),
  );
  return changed.length;
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
