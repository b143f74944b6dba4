/** How many calls of a route a second, and how many at once: of all callers together. */
interface Throttle {
  readonly ThrottlingRateLimit: number;
  readonly ThrottlingBurstLimit: number;
}

/**
 * Routes that cost more than others, or that strangers would try: each call of a sign-in hashes a password,
 * an import and an image take seconds of a function.
 */
const THROTTLED: readonly (readonly [RegExp, Throttle])[] = [
  [/^POST \/common\/auth\/(login|pos-login)$/, { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 }],
  [/^POST .+\/import$/, { ThrottlingRateLimit: 5, ThrottlingBurstLimit: 10 }],
  [/^POST \/common\/public\/upload-image$/, { ThrottlingRateLimit: 20, ThrottlingBurstLimit: 40 }],
  [/^POST \/common\/public\/upload-form$/, { ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 }],
];

/** Finds the throttles of these routes, in CloudFormation's words: CDK passes them on as they are. */
export function throttlesOf(routeKeys: readonly string[]): Readonly<Record<string, Throttle>> {
  return Object.fromEntries(
    routeKeys.flatMap((key) => {
      const found = THROTTLED.find(([route]) => route.test(key));
      return found ? [[key, found[1]]] : [];
    }),
  );
}
