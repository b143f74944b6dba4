/** A setting the deployment must give. Throws on a missing one, so that a bad deployment fails at its first call, by name. */
export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`The environment variable ${name} is not set`);
  return value;
}
