/**
 * Java's options, in `JAVA_TOOL_OPTIONS`, for a database that lives for minutes, as those of tests do: the
 * second compiler warms up for as long, and doubles what they cost. Once it is warm, 100 lines are sold in
 * two thirds of the time, so `npm start` and benches have it.
 */
export const BRIEFLY = '-XX:TieredStopAtLevel=1';
