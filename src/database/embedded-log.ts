import { closeSync, existsSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs'

const bytesPerFile = 10 * 1024 * 1024
const rememberedLines = 20

/**
 * PostgreSQL's own log: two files of at most 10 MB, and its last lines for error messages. Output that
 * arrives after the log is closed, or that a full disk does not accept, is kept in memory only.
 */
export type ServerLog = { write(chunk: Buffer): void; tail(): string; close(): void }

/** Opens the log for appending; a full file becomes `<path>.1`. */
export function openServerLog(path: string): ServerLog {
  let file = openSync(path, 'a', 0o600)
  let bytes = fstatSync(file).size
  let lines: string[] = []
  let closed = false
  const append = (chunk: Buffer): void => {
    if (bytes + chunk.length > bytesPerFile) {
      // The file is missing if a full disk accepted no new one in place of the last.
      if (existsSync(path)) renameSync(path, `${path}.1`)
      const newFile = openSync(path, 'a', 0o600)
      closeSync(file)
      file = newFile
      bytes = 0
    }
    bytes += writeSync(file, chunk)
  }
  return {
    write(chunk) {
      lines = [...lines, ...chunk.toString('utf8').trimEnd().split('\n')].slice(-rememberedLines)
      if (closed) return
      try {
        append(chunk)
      } catch {
        // The database itself reports the full disk, and the service continues once there is room again.
      }
    },
    tail: () => lines.join('\n'),
    close() {
      closed = true
      closeSync(file)
    },
  }
}
