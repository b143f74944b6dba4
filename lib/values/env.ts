/**
 * Reads a setting that the deployment must give. Throws if it is missing, so a bad deployment fails at its
 * first call, by name.
 */
export function requireEnv(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
}
