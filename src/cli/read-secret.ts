// Secrets read from files or standard input: every user of the machine can read a running command's arguments.

import { closeSync, openSync, readSync } from 'node:fs'
import { resolve } from 'node:path'

const MAX_BYTES = 64 * 1024
const STANDARD_INPUT = 0
export const FROM_STANDARD_INPUT = '-'

/** Returns the text of a file, or of standard input for `-`, without the line break at its end. Throws if it cannot be read. */
export const readSecret = (path: string): string =>
  path === FROM_STANDARD_INPUT ? readWhole(STANDARD_INPUT) : readFile(resolve(path))

function readFile(path: string): string {
  const file = openSync(path, 'r')
  try {
    return readWhole(file)
  } finally {
    closeSync(file)
  }
}

function readWhole(file: number): string {
  const bytes = Buffer.alloc(MAX_BYTES + 1)
  let length = 0
  for (let read = 1; read > 0 && length < bytes.length; length += read)
    read = readSync(file, bytes, length, bytes.length - length, null)
  if (length > MAX_BYTES) throw new Error(`it has more than ${MAX_BYTES} bytes`)
  return bytes.toString('utf8', 0, length).replace(/\r?\n$/, '')
}
