import pg from 'pg'

const readSharedBytes = pg.types.getTypeParser(pg.types.builtins.BYTEA) as (text: string) => Buffer

/**
 * Reads bytes as PostgreSQL writes them in text, into memory of their own. The driver's are a piece of 64 kB that Node hands out
 * to whoever asks: a token that is remembered for a minute would hold all of it.
 */
export function readBytes(text: string): Buffer {
  const bytes = readSharedBytes(text)
  if (bytes.buffer.byteLength === bytes.length) return bytes
  const own = Buffer.allocUnsafeSlow(bytes.length)
  bytes.copy(own)
  return own
}
