import { App, Validations } from 'aws-cdk-lib';
import { bundleFunctions } from '#infra/bundle/bundle-functions.ts';
import { findingsCheck } from '#infra/findings.ts';
import { discoverRoutes, discoverWorkers, FOLLOWER } from '#infra/routes.ts';
import { FirewallStack } from '#infra/stacks/firewall-stack.ts';
import { RetailStack } from '#infra/stacks/retail-stack.ts';
import { stageOf } from '#infra/stage.ts';
import { loadFollower, workerFunctionOf } from '#infra/worker-functions.ts';

const [routes, workers, { metadata: follower }] = await Promise.all([
  discoverRoutes(),
  Promise.all(discoverWorkers().map(workerFunctionOf)),
  loadFollower(),
]);
const bundles = await bundleFunctions(routes, [...workers, FOLLOWER], '.build/functions');

const app = new App();
new RetailStack(app, { routes, workers, follower, bundles });
const { firewallRate } = stageOf(app.node);
if (firewallRate !== undefined) new FirewallStack(app, firewallRate);
Validations.of(app).addPlugins(findingsCheck(app));
app.synth();
