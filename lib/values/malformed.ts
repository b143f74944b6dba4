/** Placeholder of a list entry that the body parser rejected; the other entries are parsed. */
export class MalformedEntry {
  /** The sender's key of the entry, if it is readable. */
  readonly key: string | undefined;

  constructor(key: string | undefined) {
    this.key = key;
  }
}
