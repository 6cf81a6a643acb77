import { randomBytes } from 'node:crypto'

const TOKEN_BYTES = 16

/** The token of a public page: 128 random bits, 22 characters in base64url. */
export const newLinkToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')
