import type { Plugin } from 'esbuild';

const OTHER_SOURCES =
  /^@(aws-sdk|smithy)\/credential-provider-(sso|ini|process|web-identity|http|imds|login|cognito-identity)$/;

/**
 * Leaves out those credential sources of the SDK that Lambda never uses: its credentials come from the
 * environment. With the clients of SSO and STS, which they bring along, they are half of a DynamoDB client's
 * code.
 */
export function environmentCredentials(): Plugin {
  return {
    name: 'environment-credentials',
    setup(build) {
      build.onResolve({ filter: OTHER_SOURCES }, ({ path }) => ({ path, namespace: 'left-out' }));
      build.onLoad({ filter: /./, namespace: 'left-out' }, ({ path }) => {
        const message = `${path} is left out of this bundle: credentials come from the environment (infra/bundle/).`;
        return { contents: `throw new Error(${JSON.stringify(message)});` };
      });
    },
  };
}
