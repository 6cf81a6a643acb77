import { randomBytes } from 'node:crypto'
import type { Tx } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import type { Sealer } from '../../../../core/sealing.ts'
import { sha256 } from '../../../../core/values/digest.ts'
import { findNumberForUpdate, setNumberChecks, updateNumberRow } from '../queries/numbers.ts'

/** A number by our id or by the operator's. */
export type NumberName = { phoneNumberId?: string | undefined; operatorId?: string | undefined }
/**
 * Absent fields stay unchanged. `throughput` in messages a second, `dailyNewRecipients` in new recipients a
 * day.
 */
export type NumberPatch = {
  token?: string | undefined
  appSecret?: string | undefined
  verifyToken?: string | undefined
  throughput?: number | undefined
  dailyNewRecipients?: number | undefined
}

/**
 * Replaces a number's credentials or its sending limits. Another token repairs a broken connection: waiting
 * messages go out, and the operator is asked about the number.
 */
export async function setPhoneNumber(
  tx: Tx,
  name: NumberName,
  patch: NumberPatch,
  now: Date,
  sealer: Sealer,
): Promise<{ phoneNumberId: string; number: string; operator: string; state: string }> {
  const found = await findNumberForUpdate(tx, name)
  if (!found) return refuse('not_found', `Number ${name.phoneNumberId ?? name.operatorId} not found.`)
  const { token, appSecret, verifyToken, throughput, dailyNewRecipients } = patch
  const repaired = token !== undefined && found.state === 'disconnected'
  const state = repaired ? 'active' : found.state
  await updateNumberRow(tx, found, {
    ...(token === undefined ? {} : { tokenSealed: sealer.seal(token) }),
    ...(appSecret === undefined ? {} : { appSecretSealed: sealer.seal(appSecret) }),
    ...(verifyToken === undefined ? {} : { verifyTokenHash: sha256(verifyToken) }),
    ...(throughput === undefined ? {} : { throughput }),
    ...(dailyNewRecipients === undefined ? {} : { dailyNewRecipients }),
    ...(repaired ? { state, stateReason: null, stateCode: null, stateAt: now } : {}),
  })
  if (token !== undefined)
    await setNumberChecks(tx.sql, [{ ...found, phoneNumberId: found.id, at: now }], { sooner: true })
  return { phoneNumberId: found.id, number: found.number, operator: found.operator, state }
}

const UNKNOWN_SECRET_BYTES = 32
/** The reason of a number that was disconnected on purpose: its token is a random value. */
export const DISCONNECTED_HERE = 'It was disconnected in the dashboard.'

/** Removes a number's credentials; it sends and receives nothing until it gets a token. */
export async function disconnectNumber(
  tx: Tx,
  phoneNumberId: string,
  now: Date,
  sealer: Sealer,
): Promise<void> {
  const found = await findNumberForUpdate(tx, { phoneNumberId })
  if (!found) return refuse('not_found', `Number ${phoneNumberId} not found. See GET /phone-numbers.`)
  const unknown = () => sealer.seal(randomBytes(UNKNOWN_SECRET_BYTES).toString('base64url'))
  await updateNumberRow(tx, found, {
    tokenSealed: unknown(),
    appSecretSealed: unknown(),
    state: 'disconnected',
    stateReason: DISCONNECTED_HERE,
    stateCode: null,
    stateAt: now,
  })
}
