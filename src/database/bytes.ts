import pg from 'pg'

const readSharedBytes = pg.types.getTypeParser(pg.types.builtins.BYTEA) as (text: string) => Buffer

/**
 * Reads bytes from PostgreSQL's text format into their own memory. The driver's buffers are slices of a
 * shared 64 kB block: a token cached for a minute would keep the whole block.
 */
export function readBytes(text: string): Buffer {
  const bytes = readSharedBytes(text)
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(copy)
  return copy
}
