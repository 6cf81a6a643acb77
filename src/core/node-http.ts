import { createRequire } from 'node:module'

/**
 * Node's own HTTP. Whoever imports `node:http` by name reads all its exports, and those for the browser's sockets load Node's
 * copy of undici: 2 MB of heap and 40 ms of a start, for nothing that we use (docs/decisions/process.md).
 */
export const { createServer, STATUS_CODES } = createRequire(import.meta.url)(
  'node:http',
) as typeof import('node:http')
