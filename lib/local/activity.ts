/** Knows what is being worked on, so that the clock moves only while nothing is. */
export interface Activity {
  /** Counts the work as running until it ends. */
  during<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Names of what runs. */
  running(): readonly string[];
}

export function createActivity(): Activity {
  const running = new Map<symbol, string>();
  return {
    async during(name, work) {
      const id = Symbol(name);
      running.set(id, name);
      try {
        return await work();
      } finally {
        running.delete(id);
      }
    },
    running: () => [...running.values()],
  };
}
