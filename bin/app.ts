import { App, Validations } from 'aws-cdk-lib';
import { currentBundles } from '#infra/bundle/current-bundles.ts';
import { nagChecks } from '#infra/nag-suppressions.ts';
import { discoverRoutes, discoverWorkers } from '#infra/routes.ts';
import { FirewallStack } from '#infra/stacks/firewall-stack.ts';
import { RetailStack } from '#infra/stacks/retail-stack.ts';
import { stageOf } from '#infra/stage.ts';
import { loadStreamConsumer, workerFunctionOf } from '#infra/worker-functions.ts';

const [routes, workers, { metadata: follower }, bundles] = await Promise.all([
  discoverRoutes(),
  Promise.all(discoverWorkers().map(workerFunctionOf)),
  loadStreamConsumer(),
  currentBundles(),
]);

const app = new App();
new RetailStack(app, { routes, workers, follower, bundles });
const { firewallRate } = stageOf(app.node);
if (firewallRate !== undefined) new FirewallStack(app, firewallRate);
Validations.of(app).addPlugins(nagChecks(app));
app.synth();
