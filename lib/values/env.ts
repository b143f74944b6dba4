/**
 * Returns an environment variable that the deployment must set. Throws with its name if it is missing, so
 * that a bad deployment fails at its first call.
 */
export function requireEnv(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
}
