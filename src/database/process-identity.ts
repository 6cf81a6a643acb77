import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** A process that cannot be mistaken for a later one with the same number. `startTime` is null where the system does not say. */
export type ProcessIdentity = { pid: number; startTime: string | null }

/**
 * Names a running process by number and start time.
 * Answers undefined when it is gone, or is a zombie that nobody has reaped (common as PID 1's child in containers).
 */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  if (!Number.isInteger(pid) || pid <= 0) return undefined
  if (process.platform === 'linux') {
    const stat = readOrUndefined(`/proc/${pid}/stat`)
    if (stat === undefined) return undefined
    // The second field is the command in brackets and may itself hold brackets and spaces.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined
    return { pid, startTime: fields[19] ?? null }
  }
  try {
    process.kill(pid, 0)
  } catch (error) {
    // Not allowed to signal it: it lives, as another user.
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') return undefined
  }
  return { pid, startTime: null }
}

/** True while exactly this process, not a later one with its number, is running. */
export function isRunning(identity: ProcessIdentity): boolean {
  const now = identifyProcess(identity.pid)
  return now !== undefined && now.startTime === identity.startTime
}

/** The words of a process's command line, or undefined when it is gone. Readable for other users' processes too. */
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

/** A small text file, or undefined when it is not there or may not be read. */
export function readOrUndefined(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
