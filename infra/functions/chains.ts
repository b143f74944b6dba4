import type { Alias } from 'aws-cdk-lib/aws-lambda';

/**
 * Functions created concurrently. Lambda's control plane takes 15 calls a second per account, and a new
 * function takes some four calls in about five seconds.
 */
const CHAINS = 10;

/** Makes a stack create its functions in chains, so that as many as there are chains are created at once. */
export function createInChains(functions: readonly Alias[]): void {
  for (const [index, each] of functions.entries()) {
    const before = functions[index - CHAINS];
    // An alias is inside its function: the dependency covers both.
    if (before) each.lambda.node.addDependency(before);
  }
}
