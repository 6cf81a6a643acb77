import { createRequire } from 'node:module'

/**
 * Node's own HTTP. An import of `node:http` by name reads all its exports, and those for browser sockets load Node's copy of
 * undici: 2 MB of heap and 40 ms of the start that we don't need (docs/decisions/process.md).
 */
export const { createServer, STATUS_CODES } = createRequire(import.meta.url)(
  'node:http',
) as typeof import('node:http')
