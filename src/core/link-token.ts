import { randomBytes } from 'node:crypto'
import { sha256 } from './digest.ts'

const TOKEN_BYTES = 16

/** The token of a public page: 128 random bits, 22 characters in base64url. */
export const newLinkToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

const TOKEN = /^[\w-]{22}$/
/** Whether a text may be such a token. */
export const isLinkToken = (text: string): boolean => TOKEN.test(text)

/** A token made of a text: the same each time, and as hard to guess as the text is. */
export const linkTokenOf = (text: string): string =>
  sha256(text).subarray(0, TOKEN_BYTES).toString('base64url')
