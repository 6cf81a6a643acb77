import { randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { DEFAULT_CELL } from './cell.ts'
import { sha256 } from './digest.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const SHAPE = /^pk_(?:live|test)_(?:([a-z][a-z0-9]*)_)?[0-9A-Za-z]{32}[0-9A-Za-z]{6}$/
/** The characters of the random part that may be shown. */
const SHOWN_LENGTH = 4

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = ALPHABET[rest % ALPHABET.length] + text
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}

/**
 * Returns a new key: `pk_live_` (`pk_test_` in a sandbox), the cell if it is not the default one, 32 random characters, and a
 * checksum of 6.
 */
export function newApiKey(sandbox: boolean, cell = DEFAULT_CELL): string {
  let body = `pk_${sandbox ? 'test' : 'live'}_${cell === DEFAULT_CELL ? '' : `${cell}_`}`
  for (let i = 0; i < RANDOM_LENGTH; i++) body += ALPHABET[randomInt(ALPHABET.length)]
  return withChecksum(body)
}

/** Returns the whole key for `body`, its prefix and random characters. */
export const withChecksum = (body: string): string => body + checksum(body)

/** Whether `text` has the shape and the checksum of a key. Typing errors are found without a database query. */
export const looksLikeApiKey = (text: string): boolean =>
  SHAPE.test(text) && text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH))

/** Returns the cell in which a key was created. */
export const cellOfApiKey = (key: string): string => SHAPE.exec(key)?.[1] ?? DEFAULT_CELL

/** Returns the hash to store for a key. */
export const hashApiKey = (key: string): Buffer => sha256(key)

/** Compares two hashes in constant time. */
export const sameHash = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b)

/** Compares two secrets in clear text in constant time. Their lengths are not secret. */
export const sameSecret = (a: string, b: string): boolean => sameHash(Buffer.from(a), Buffer.from(b))

/** Returns the part of a key that may be shown after its creation. */
export const keyPrefix = (key: string): string => key.slice(0, key.lastIndexOf('_') + 1 + SHOWN_LENGTH)
