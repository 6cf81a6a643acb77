import { randomBytes } from 'node:crypto'
import { sha256 } from './digest.ts'

const TOKEN_BYTES = 16

/** Returns a new token of a public page: 128 random bits, 22 characters in base64url. */
export const newLinkToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

const TOKEN = /^[\w-]{22}$/
/** Whether a text has the shape of a token. */
export const isLinkToken = (text: string): boolean => TOKEN.test(text)

/** Derives a token from a text: always the same one, and as hard to guess as the text. */
export const linkTokenOf = (text: string): string =>
  sha256(text).subarray(0, TOKEN_BYTES).toString('base64url')
