import { CfnResource } from 'aws-cdk-lib';
import { beforeAll, describe, expect, test } from 'vitest';
import { RetailStack } from '#infra/stacks/retail-stack.ts';
import { all, assemble, sharedStacks, stacksOf } from './synthesis.ts';

/*
 * A version is published when its resource has another id: never of code that has not changed, which Lambda
 * refuses ("A version for this Lambda function exists"), and always if something that it is made of has.
 */

type Versions = ReadonlyMap<string, string>;

let before: Versions;

beforeAll(async () => {
  before = versionsOf((await sharedStacks()).stack);
});

/** Lists the ids of versions, by the descriptions of their functions. */
function versionsOf(stack: RetailStack): Versions {
  const resources = stacksOf(stack).flatMap((each) => each.resources);
  const versions = new Map(
    all(resources, 'AWS::Lambda::Version').map(({ id, Properties }) => [Properties['FunctionName'].Ref, id]),
  );
  return new Map(
    all(resources, 'AWS::Lambda::Function').map(({ id, Properties }) => [
      String(Properties['Description']),
      versions.get(id) ?? '',
    ]),
  );
}

/** Lists the functions of both that have another version now. */
function changedIn(after: Versions): string[] {
  return [...after].filter(([name, id]) => before.has(name) && before.get(name) !== id).map(([name]) => name);
}

describe('a function gets a new version', () => {
  test('if the layer with sharp is another, and no function without the layer does', async () => {
    const { stack } = await assemble();
    const layer = stack.node.findChild('Imaging').node.defaultChild;
    if (layer instanceof CfnResource) layer.addPropertyOverride('Content.S3Key', 'another.zip');
    const withLayer = all(
      stacksOf(stack).flatMap((each) => each.resources),
      'AWS::Lambda::Function',
    ).filter(({ Properties }) => Properties['Layers']);
    expect(withLayer.length).toBeGreaterThan(3);
    expect(changedIn(versionsOf(stack)).sort()).toEqual(
      withLayer.map(({ Properties }) => String(Properties['Description'])).sort(),
    );
  });

  test('if its settings are others', async () => {
    const { stack } = await sharedStacks({ SECRETS: '2,1' });
    expect(changedIn(versionsOf(stack))).toContain('POST /company/trade/sale');
  });
});

describe('no function gets a new version', () => {
  test('if another operation comes or goes', async () => {
    const { app, routes, workers, follower, bundles } = await assemble();
    app.node.tryRemoveChild('retail-dev');
    const fewer = routes.filter(({ path }) => !path.startsWith('/company/trade/write-off'));
    expect(
      changedIn(versionsOf(new RetailStack(app, { routes: fewer, workers, follower, bundles }))),
    ).toEqual([]);
  });

  test('if the account may run more functions, and some are set aside and kept warm', async () => {
    const { stack } = await sharedStacks({ CONCURRENCY: '1000', WARM: '1' });
    expect(changedIn(versionsOf(stack))).toEqual([]);
  });

  test('if the service gets a web ACL before it', async () => {
    const { stack } = await sharedStacks({
      WEB_ACL: 'arn:aws:wafv2:us-east-1:111122223333:global/webacl/a/b',
    });
    expect(changedIn(versionsOf(stack))).toEqual([]);
  });
});
