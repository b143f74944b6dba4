import { requireBuiltins } from './required-builtins.ts';
import { stubModules } from './stub-modules.ts';

/** Plugins by which a bundle has less of packages and of Node than their plain imports bring. */
export const TRIMMING = [stubModules(), requireBuiltins()];
