import { environmentCredentials } from './environment-credentials.ts';
import { lazyConsts } from './made-when-read.ts';
import { requireBuiltins } from './required-builtins.ts';

/** Plugins that make functions start faster than their plain source would. */
export const TRIMMING = [environmentCredentials(), requireBuiltins(), lazyConsts()];
