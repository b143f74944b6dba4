import { follower } from '#lib/http/follower.ts';
import { followChanges } from '#lib/platform/changes.ts';

/** Follows what changes in the table: appends it to the feeds of the families, and notes who did it. */
export const handler = follower({ run: followChanges });
