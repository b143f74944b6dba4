/** An entry of a call that the parser of bodies refuses, in its place; the others are read. */
export class MalformedEntry {
  /** What its sender calls it by, if that can be read. */
  readonly key: string | undefined;

  constructor(key: string | undefined) {
    this.key = key;
  }
}
