/** Codes of an authenticator app (RFC 6238: SHA-1, six digits, 30 seconds), and recovery codes. */
import { createHmac, randomBytes } from 'node:crypto'
import { SECOND_MS } from '../../../../core/clock.ts'
import { sameHash, sameSecret } from '../../../../core/values/api-key.ts'
import { sha256 } from '../../../../core/values/digest.ts'

const STEP_MS = 30 * SECOND_MS
const DIGITS = 6
/** The maximum error of a phone's clock, in steps. */
const DRIFT = 1
const SECRET_BYTES = 20
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function base32(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** Returns a new secret, in hexadecimal. */
export const newTotpSecret = (): string => randomBytes(SECRET_BYTES).toString('hex')

/** Returns the address that an authenticator app scans. */
export function totpUri(secret: string, { issuer, name }: { issuer: string; name: string }): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(name)}`
  const query = new URLSearchParams({ secret: base32(Buffer.from(secret, 'hex')), issuer })
  return `otpauth://totp/${label}?${query}`
}

function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', Buffer.from(secret, 'hex')).update(counter).digest()
  const offset = (mac.at(-1) as number) & 0xf
  return String((mac.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS).padStart(DIGITS, '0')
}

/** Returns the step of a code, if the step is later than `lastStep`; undefined if the code is wrong. */
export function stepOfCode(secret: string, code: string, now: Date, lastStep: number): number | undefined {
  const current = Math.floor(now.getTime() / STEP_MS)
  const enteredCode = code.replace(/\s/g, '')
  return Array.from({ length: 2 * DRIFT + 1 }, (_, i) => current - DRIFT + i).find(
    (step) => step > lastStep && sameSecret(codeAt(secret, step), enteredCode),
  )
}

const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10

const hashOfRecovery = (code: string): Buffer => sha256(code.toUpperCase().replace(/[^A-Z2-7]/g, ''))

/** Returns ten codes for a person who loses their phone, and the hashes to store. */
export function newRecoveryCodes(): { codes: string[]; hashes: Buffer[] } {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    (base32(randomBytes(RECOVERY_BYTES)).match(/.{4}/g) ?? []).join('-'),
  )
  return { codes, hashes: codes.map(hashOfRecovery) }
}

/**
 * Returns the remaining hashes after `code` is spent; undefined if `code` is not a recovery code of the
 * account.
 */
export function withoutRecoveryCode(hashes: Buffer[], code: string): Buffer[] | undefined {
  const codeHash = hashOfRecovery(code)
  const remaining = hashes.filter((hash) => !sameHash(hash, codeHash))
  return remaining.length < hashes.length ? remaining : undefined
}
