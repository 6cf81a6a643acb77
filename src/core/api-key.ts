import { randomInt, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { sha256 } from './digest.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const RANDOM_LENGTH = 32
const CHECKSUM_LENGTH = 6
const SHAPE = /^pk_(live|test)_([0-9A-Za-z]{32})([0-9A-Za-z]{6})$/

function checksum(body: string): string {
  let rest = crc32(body)
  let text = ''
  for (let i = 0; i < CHECKSUM_LENGTH; i++) {
    text = ALPHABET[rest % ALPHABET.length] + text
    rest = Math.floor(rest / ALPHABET.length)
  }
  return text
}

/** A new key: `pk_live_` (`pk_test_` in a sandbox), 32 random characters, 6 of checksum. */
export function newApiKey(sandbox: boolean): string {
  let body = `pk_${sandbox ? 'test' : 'live'}_`
  for (let i = 0; i < RANDOM_LENGTH; i++) body += ALPHABET[randomInt(ALPHABET.length)]
  return withChecksum(body)
}

/** The whole key whose prefix and random characters are `body`. */
export const withChecksum = (body: string): string => body + checksum(body)

/** Whether `text` has the shape and the checksum of a key; spares a look-up for typing errors. */
export const looksLikeApiKey = (text: string): boolean =>
  SHAPE.test(text) && text.slice(-CHECKSUM_LENGTH) === checksum(text.slice(0, -CHECKSUM_LENGTH))

/** What is stored of a key. */
export const hashApiKey = (key: string): Buffer => sha256(key)

/** Constant-time comparison of two hashes. */
export const sameHash = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && timingSafeEqual(a, b)

/** The same of two secrets in the clear; how long they are is no secret. */
export const sameSecret = (a: string, b: string): boolean => sameHash(Buffer.from(a), Buffer.from(b))

/** What may be shown of a key afterwards. */
export const keyPrefix = (key: string): string => key.slice(0, 12)
