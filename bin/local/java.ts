/*
 * Java's options, in `JAVA_TOOL_OPTIONS`, for databases of tests. Its usual collector has threads of its own,
 * and the classes that it would verify, for half a second, are Amazon's: the cores are the tests'.
 */
const SPARINGLY = '-XX:+UseSerialGC -XX:+UnlockDiagnosticVMOptions -XX:-BytecodeVerificationRemote';

/**
 * For a database that lives a minute, as those of single tests do. The second compiler warms up for as long,
 * and doubles what they cost. Once it is warm a request costs half, so `npm start` and benches have it.
 */
export const BRIEFLY = `-XX:TieredStopAtLevel=1 ${SPARINGLY}`;

/** Both compilers, for the database of a whole run of tests. */
export const AT_LENGTH = SPARINGLY;
