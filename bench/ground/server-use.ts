/** Bytes of memory, and milliseconds of processor time since the start. */
export type ServerUse = { rss: number; heapUsed: number; cpuMs: number }

/** Returns the usage of this process. */
export function serverUse(): ServerUse {
  const { user, system } = process.cpuUsage()
  const { rss, heapUsed } = process.memoryUsage()
  return { rss, heapUsed, cpuMs: (user + system) / 1000 }
}
