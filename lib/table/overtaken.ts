/** Says that what was read is no longer so, or not yet: whoever asked is to try again. */
export class Overtaken extends Error {}
