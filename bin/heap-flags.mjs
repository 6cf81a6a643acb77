// How much garbage and free memory may lie about (docs/decisions/process.md): in a file that systemd reads too.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

const { HEAP_FLAGS, ...settings } = parseEnv(readFileSync(new URL('heap-flags.env', import.meta.url), 'utf8'))

/** Flags for the command line of the service. */
export const heapFlags = HEAP_FLAGS.split(' ')

/** What the system's allocator reads from the environment when the service begins. */
export const allocatorSettings = settings
