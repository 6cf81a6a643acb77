import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Where the machine keeps names of its own. */
export const HOSTS_FILE =
  process.platform === 'win32'
    ? join(process.env.SystemRoot ?? 'C:\\Windows', 'System32\\drivers\\etc\\hosts')
    : '/etc/hosts'

const NONE: ReadonlySet<string> = new Set()

/** Makes the function that says whether a hosts file has a name (in lower case) now; it is read anew when it changed. */
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
      // No such file, or none for us: it names nobody.
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
