import { environmentCredentials } from './environment-credentials.ts';
import { requiredBuiltins } from './required-builtins.ts';

/** Plugins that make functions start faster than their plain source would. */
export const TRIMMING = [environmentCredentials(), requiredBuiltins()];
