import { randomBytes, randomInt } from 'node:crypto'

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
export const SECRET_PREFIX = 'whsec_'
/** A multiple of 3, so that base64 needs no padding. */
const SECRET_BYTES = 33

/**
 * Returns a new signing secret: shown once, stored sealed (spec 2.11). Base64 after its prefix, as Standard Webhooks libraries
 * read it; without + and /, so that it is safe in a URL or a shell.
 */
export function newWebhookSecret(): string {
  const text = randomBytes(SECRET_BYTES).toString('base64')
  return `${SECRET_PREFIX}${text.replace(/[+/]/g, () => LETTERS[randomInt(LETTERS.length)] as string)}`
}
