/** Watches how much memory is in use at the most. */
export function watchMemory(): { stop(): number } {
  let most = 0;
  const look = () => {
    most = Math.max(most, process.memoryUsage().rss);
  };
  const timer = setInterval(look, 20);
  return {
    stop: () => {
      clearInterval(timer);
      return Math.round(most / 1_000_000);
    },
  };
}
