import { readdirSync, readFileSync } from 'node:fs'

/** Returns the ids of a process and all of its descendants. */
export function family(pid: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        // The name in brackets may contain any characters; the parent is the second word after it.
        const parent = readFileSync(`/proc/${name}/stat`, 'utf8')
          .replace(/^.*\) /s, '')
          .split(' ')[1]
        return [{ pid: Number(name), parent: Number(parent) }]
      } catch {
        return []
      }
    })
  const found = [pid]
  for (const pid of found)
    found.push(...parents.filter(({ parent }) => parent === pid).map((child) => child.pid))
  return found
}

/** Runs kill -9 on each process that still exists. */
export function killAll(pids: number[]): void {
  for (const pid of pids)
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
}
