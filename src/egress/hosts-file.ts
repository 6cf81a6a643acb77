import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The machine's hosts file. */
export const HOSTS_FILE =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32\\drivers\\etc\\hosts')
    : '/etc/hosts'

const NONE: ReadonlySet<string> = new Set()

/**
 * Returns a function that reports whether a hosts file contains a name (in lower case). It reads the file
 * again after a change.
 */
export function hostsFile(path: string): (hostname: string) => Promise<boolean> {
  let names = NONE
  let readOf = ''
  return async (hostname) => {
    try {
      const { mtimeMs, size, ino } = await stat(path)
      const version = `${mtimeMs} ${size} ${ino}`
      if (version !== readOf) {
        names = namesIn(await readFile(path, 'utf8'))
        readOf = version
      }
    } catch {
      // The file is missing or unreadable: it contains no names.
      names = NONE
      readOf = ''
    }
    return names.has(hostname)
  }
}

const namesIn = (text: string): Set<string> =>
  new Set(
    text.split('\n').flatMap((line) => {
      const [, ...named] = line.replace(/#.*/, '').trim().toLowerCase().split(/\s+/)
      return named
    }),
  )
