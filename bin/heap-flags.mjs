// Limits garbage and unused memory (docs/decisions/process.md); the values are in a file that systemd reads
// too.
import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'

const { HEAP_FLAGS, ...settings } = parseEnv(readFileSync(new URL('heap-flags.env', import.meta.url), 'utf8'))

/** Flags for the command line of the service. */
export const heapFlags = HEAP_FLAGS.split(' ')

/** Environment variables that the system's allocator reads when the service starts. */
export const allocatorSettings = settings
