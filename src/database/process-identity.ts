import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Identifies a process so that a later one with the same ID is not confused with it. `startTime` is null if
 * the system does not report it.
 */
export type ProcessIdentity = { pid: number; startTime: string | null }

/**
 * Identifies a running process by ID and start time. Returns undefined if it is gone, or a zombie (common for
 * children of PID 1 in containers).
 */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  if (process.platform === 'linux') {
    const stat = readOrUndefined(`/proc/${pid}/stat`)
    if (stat === undefined) return undefined
    // The second field is the command in brackets, and may itself contain brackets and spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    return { pid, startTime: fields[19] ?? null }
  }
  try {
    process.kill(pid, 0)
  } catch (error) {
    // No permission to signal it: it lives, as another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined
  }
  return { pid, startTime: null }
}

/** Returns true while exactly this process, not a later one with its ID, is running. */
export function isRunning(identity: ProcessIdentity): boolean {
  const current = identifyProcess(identity.pid)
  return current !== undefined && current.startTime === identity.startTime
}

/**
 * Returns the arguments of a process's command line; undefined if it is gone. Works for other users'
 * processes too.
 */
export function commandLine(pid: number): string[] | undefined {
  if (process.platform === 'linux') return readOrUndefined(`/proc/${pid}/cmdline`)?.split('\0')
  try {
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(' ')
  } catch {
    return undefined
  }
}

/** Returns a small text file; undefined if it is missing or unreadable. */
export function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
