import type { Reply, RequestContent } from '#bin/cli/person.ts';

/** A call that a test made, and its answer. */
export interface RecordedTestCall {
  readonly request: string;
  readonly sent: RequestContent & { readonly headers: Readonly<Record<string, string>> };
  readonly reply: Reply;
  /** The very text of the answer. */
  readonly text: string;
  /** Its status with `If-Match` of a version that never was; undefined if that wasn't tried. */
  readonly stale: number | undefined;
}

const noted: RecordedTestCall[] = [];

/** Records a call for the rules that apply to every call. */
export function recordTestCall(call: RecordedTestCall): void {
  noted.push(call);
}

/** Returns the calls recorded since the last time, and clears them. */
export function takeRecordedCalls(): RecordedTestCall[] {
  return noted.splice(0);
}
