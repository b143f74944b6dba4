/**
 * Java's options, in `JAVA_TOOL_OPTIONS`, for a database that lives a minute, as those of single tests do.
 * The second compiler warms up for as long, and doubles what they cost. Once it is warm a request costs half,
 * so `npm start` and benches have it.
 */
export const BRIEFLY = '-XX:TieredStopAtLevel=1';

/** Both compilers, for the database of a whole run of tests. Its collector leaves the cores to the tests. */
export const AT_LENGTH = '-XX:+UseSerialGC';
