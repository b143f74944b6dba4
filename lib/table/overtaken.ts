/** Data that was read is no longer current, or not yet visible: the caller must retry. */
export class Overtaken extends Error {}
