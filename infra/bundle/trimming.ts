import { environmentCredentials } from './environment-credentials.ts';
import { requiredBuiltins } from './required-builtins.ts';

/** What makes functions start faster than they would as they are written. */
export const TRIMMING = [environmentCredentials(), requiredBuiltins()];
