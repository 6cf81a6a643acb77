// How much garbage may lie about (docs/decisions/process.md): flags of Node, in a file that systemd reads too.
import { readFileSync } from 'node:fs'

const [, flags] = /^HEAP_FLAGS=(.+)$/m.exec(readFileSync(new URL('heap-flags.env', import.meta.url), 'utf8'))

/** Flags for the command line of the service. */
export const heapFlags = flags.trim().split(' ')
