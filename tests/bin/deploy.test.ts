import { afterEach, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { markerKey } from '#lib/platform/once.ts';
import { READABLE_SHAPES, SHAPE } from '#lib/platform/shape.ts';
import { put } from '#lib/table/change/write.ts';
import { tableName } from '#lib/table/client.ts';
import { wholePartition } from '#lib/table/read/walk.ts';
import { transact } from '#lib/table/transaction/transact.ts';
import { newAdministrator, PASSWORD } from '#tests/support/administrator.ts';
import { pathWithNpx } from '#tests/support/commands.ts';
import { newTable } from '#tests/support/empty-stage.ts';
import { serveLambda } from '#tests/support/lambda.ts';
import { runProgram } from '#tests/support/program.ts';

/*
 * The program runs as it is, against an endpoint that speaks Lambda's protocol, as far as these calls go, and
 * a service that really sells. In the place of `cdk deploy` each function gets a new version.
 */

let lambda: Awaited<ReturnType<typeof serveLambda>>;

beforeEach(async () => {
  lambda = await serveLambda();
});

afterEach(() => {
  lambda.close();
  vi.unstubAllEnvs();
});

async function deploy(username: string, npx = `exec curl -sf -o /dev/null ${lambda.url}/publish`) {
  const args = ['--stage', 'dev', '--address', inject('address'), '--username', username];
  return runProgram('deploy', args, {
    PATH: pathWithNpx(npx),
    SMOKE_PASSWORD: PASSWORD,
    AWS_ENDPOINT_URL_LAMBDA: lambda.url,
    AWS_ENDPOINT_URL_CLOUDFORMATION: lambda.url,
  });
}

/** Output before any change. */
const BEGUN =
  'Deploys dev to account 000000000000, eu-central-1. That takes some ten minutes, the first time twenty.\n';

const SALE = 'retail-dev-trade-POST-company-trade-sale';
const USERS = 'retail-dev-admin-GET-admin-user-user';
const NEW = 'retail-dev-money-POST-new';

function stateOf(name: string) {
  const { versions, live } = lambda.functions.get(name) ?? {};
  return { versions, live };
}

const goodOf = (name: string) => lambda.functions.get(name)?.good;

test('a deployment that is well keeps its versions and those before it, and no others', async () => {
  const { code, stdout } = await deploy(await newAdministrator());
  expect(stdout).toContain('All is well');
  expect(stdout).toContain('Deployed: 3 functions are live. 3 versions of earlier deployments were removed.');
  expect(code).toBe(0);
  expect(stateOf(SALE)).toEqual({ versions: [3, 4], live: 4 });
  expect(stateOf(USERS)).toEqual({ versions: [5, 6], live: 6 });
  expect(stateOf(NEW)).toEqual({ versions: [1], live: 1 });
  expect(stateOf('retail-production-unserved')).toEqual({ versions: [1, 2, 3], live: 3 });
  expect([SALE, USERS, NEW].map(goodOf)).toEqual([4, 6, 1]);
});

test('one more without a change keeps the version before as well', async () => {
  const username = await newAdministrator();
  await deploy(username);
  lambda.state.isChanged = () => false;
  const { stdout } = await deploy(username);
  expect(stdout).toContain('Deployed: 3 functions are live. 0 versions of earlier deployments were removed.');
  expect(stateOf(SALE)).toEqual({ versions: [3, 4], live: 4 });
});

test('one that is not well is pointed back, function by function, and nothing is removed', async () => {
  const { code, stdout, stderr } = await deploy('nobody.of.that.name');
  expect(stdout).toContain('Not well: signs in');
  expect(stderr).toContain('2 functions were pointed back at the versions that were last well.');
  expect(code).toBe(1);
  expect(stateOf(SALE)).toEqual({ versions: [1, 2, 3, 4], live: 3 });
  expect(stateOf(USERS)).toEqual({ versions: [4, 5, 6], live: 5 });
  expect(stateOf(NEW)).toEqual({ versions: [1], live: 1 });
});

test('one after one that was cut off as it was tried goes back to what was well before both', async () => {
  await deploy(await newAdministrator());
  for (const each of lambda.functions.values()) {
    const next = Math.max(...each.versions) + 1;
    Object.assign(each, { versions: [...each.versions, next], live: next, published: next });
  }
  const { stderr } = await deploy('nobody.of.that.name');
  expect(stderr).toContain('3 functions were pointed back at the versions that were last well.');
  expect(stateOf(SALE)).toEqual({ versions: [3, 4, 5, 6], live: 4 });
  expect(stateOf(USERS)).toEqual({ versions: [5, 6, 7, 8], live: 6 });
});

test('one that has changed nothing, and is not well, says so and names the versions', async () => {
  lambda.state.isChanged = () => false;
  const { code, stderr } = await deploy('nobody.of.that.name');
  expect([code, stderr]).toEqual([
    1,
    `No function was pointed back: all are at the versions that were last well.\n${SALE} 3\n${USERS} 5\n`,
  ]);
});

test('one whose versions can not be read is pointed back, untried', async () => {
  lambda.state.isReadable = false;
  const { code, stdout, stderr } = await deploy(await newAdministrator());
  expect(stdout).toBe(`${BEGUN}What was deployed can't be read: Not yours\n`);
  expect(stderr).toContain('2 functions were pointed back at the versions that were last well.');
  expect(code).toBe(1);
  expect(stateOf(USERS)).toEqual({ versions: [4, 5, 6], live: 5 });
});

test('one that CloudFormation takes back is not tried', async () => {
  lambda.state.isDeployable = false;
  const { code, stdout, stderr } = await deploy('nobody.of.that.name');
  expect([code, stdout]).toEqual([1, BEGUN]);
  expect(stderr).toContain('CloudFormation has taken it back');
  expect(stateOf(USERS)).toEqual({ versions: [4, 5], live: 5 });
});

describe('the same commit again, after an update that CloudFormation took back', () => {
  test('goes through, as versions of an update that failed go', async () => {
    const username = await newAdministrator();
    lambda.state.commit = 7;
    lambda.state.isDeployable = false;
    expect((await deploy(username)).stderr).toContain('CloudFormation has taken it back');
    lambda.state.isDeployable = true;
    const { code, stdout } = await deploy(username);
    expect([code, stdout]).toEqual([0, expect.stringContaining('Deployed: 3 functions are live.')]);
    expect(stateOf(SALE)).toEqual({ versions: [3, 5], live: 5 });
  });

  test('never would, if they were retained: Lambda publishes nothing twice', async () => {
    lambda.state.deletionPolicy = 'Retain';
    lambda.state.commit = 7;
    lambda.state.isDeployable = false;
    await deploy('nobody.of.that.name');
    lambda.state.isDeployable = true;
    expect((await deploy('nobody.of.that.name')).stderr).toContain('CloudFormation has taken it back');
  });
});

test('an update that fails after one that was pointed back leaves what was last well live', async () => {
  await deploy('nobody.of.that.name');
  expect([stateOf(SALE).live, stateOf(USERS).live]).toEqual([3, 5]);
  lambda.state.isDeployable = false;
  const { code, stderr } = await deploy('nobody.of.that.name');
  expect([code, stderr]).toEqual([
    1,
    `The deployment failed: CloudFormation has taken it back by itself.
2 functions were pointed at the versions that were last well.
`,
  ]);
  expect([stateOf(SALE).live, stateOf(USERS).live]).toEqual([3, 5]);
});

describe('the shape of the data', () => {
  test('that this code writes is noted before it is deployed, once', async () => {
    lambda.state.outputs.set('TableName', await newTable());
    await deploy('nobody.of.that.name', 'exit 1');
    await deploy('nobody.of.that.name', 'exit 1');
    expect((await wholePartition('first-records')).map(({ sk }) => sk)).toEqual([`shape ${SHAPE}`]);
  });

  test('if it is another than this code reads, nothing is deployed', async () => {
    lambda.state.outputs.set('TableName', await newTable());
    await transact([put(markerKey('shape 8'), { made_at: 1 })]);
    const { code, stdout, stderr } = await deploy('nobody.of.that.name');
    expect([code, stdout, stderr]).toEqual([1, BEGUN, `Nothing was deployed. ${other('have shape 8')}`]);
    expect(lambda.state.updates).toBe(0);
    const verified = await runProgram('verify', ['--table', tableName()]);
    expect(verified).toEqual({ code: 2, stdout: '', stderr: other('have shape 8') });
    const begun = await runProgram('bootstrap', ['--table', tableName()]);
    expect(begun).toMatchObject({ code: 1, stderr: other('have shape 8') });
  });

  test('if it was never noted, nothing is deployed either', async () => {
    lambda.state.outputs.set('TableName', await newTable());
    await transact([put(markerKey('languages'), { made_at: 1 })]);
    const { stderr } = await deploy('nobody.of.that.name');
    expect(stderr).toBe(`Nothing was deployed. ${other('were written before shapes were noted')}`);
  });

  const other = (what: string) =>
    `The data of this table ${what}; this code reads ${READABLE_SHAPES.join(' and ')} (docs/operate.md, "Schema changes").\n`;
});

test('one that never came to CloudFormation, or that it has left halfway, is reported as such', async () => {
  const unbegun = await deploy('nobody.of.that.name', 'exit 1');
  expect(unbegun.stderr).toBe('The deployment has not begun: the stage is as it was.\n');
  const halfway = `curl -sf -o /dev/null ${lambda.url}/publish; exit 1`;
  lambda.state.isDeployable = false;
  lambda.state.rolledBack = 'UPDATE_ROLLBACK_FAILED';
  const { stderr } = await deploy('nobody.of.that.name', halfway);
  expect(
    stderr,
  ).toBe(`The deployment failed: the stack is UPDATE_ROLLBACK_FAILED (docs/deployment.md, "An update that failed").
2 functions were pointed at the versions that were last well.
`);
  expect([stateOf(SALE).live, stateOf(USERS).live]).toEqual([3, 5]);
});

test('one that finds another under way waits for its end', async () => {
  // Two requests are for the account and the table, the third checks for an update in progress.
  lambda.state.inProgress = 3;
  const { stdout } = await deploy('nobody.of.that.name');
  expect(stdout).toContain('The stack retail-dev is UPDATE_IN_PROGRESS: waits for its end.\n');
  expect(stdout).toContain('Not well: signs in');
});

test('CDK gets the stack of the stage by its name, as there may be another beside it', async () => {
  const { stdout } = await deploy('nobody.of.that.name', 'echo "$@"; exit 1');
  expect(stdout).toContain('cdk deploy retail-dev -c stage=dev --require-approval never\n');
});

test('a function that could not be pointed back keeps no other from it, and is reported with its command', async () => {
  await deploy(await newAdministrator());
  lambda.state.stuck = [SALE];
  const { code, stderr } = await deploy('nobody.of.that.name');
  expect(stderr).toContain('2 functions were pointed back');
  expect(stderr).toContain(`These could not be pointed back, and are still new:
aws lambda update-alias --function-name ${SALE} --name live --function-version 4`);
  expect(code).toBe(1);
  expect(stateOf(SALE).live).toBe(5);
  expect(stateOf(USERS).live).toBe(6);
});

test('a deployment after one that was pointed back has all its functions live, also those it did not change', async () => {
  await deploy('nobody.of.that.name');
  expect([stateOf(SALE).live, stateOf(USERS).live]).toEqual([3, 5]);
  lambda.state.isChanged = (name) => name === SALE;
  const { stdout } = await deploy(await newAdministrator());
  expect(stdout).toContain('Deployed: 3 functions are live.');
  expect(stateOf(SALE)).toEqual({ versions: [3, 5], live: 5 });
  expect(stateOf(USERS)).toEqual({ versions: [5, 6], live: 6 });
});
