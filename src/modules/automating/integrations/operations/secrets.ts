/** Secrets of integrations: sealed together, and shown only as their last four characters. */
import type { Sealer } from '../../../../core/sealing.ts'
import { type GatewayRow, gatewaySecrets } from '../../../selling/payments/operations/gateway-connection.ts'
import type { AccountRow } from '../../../selling/social/operations/accounts.ts'
import type { IntegrationRow } from '../queries/integrations.ts'
import { type Name, SECRETS } from '../schema.ts'

export type Secrets = Record<string, string>

export const sealSecrets = (secrets: Secrets, sealer: Sealer): Buffer | null =>
  Object.keys(secrets).length === 0 ? null : sealer.seal(JSON.stringify(secrets))

/** Throws if they were sealed with another key. */
export const openSecrets = (sealed: Buffer | null, sealer: Sealer): Secrets =>
  sealed === null ? {} : (JSON.parse(sealer.open(sealed)) as Secrets)

/** Returns the secrets of a real gateway; none without one. */
export const gatewaySecretsOf = (row: GatewayRow | undefined, sealer: Sealer): Secrets =>
  row?.provider === 'razorpay' ? gatewaySecrets(row, sealer) : {}

/** Returns the readable secrets of an account at the photo network: of its verify token, only a hash is stored. */
export const accountSecretsOf = (row: AccountRow | undefined, sealer: Sealer): Secrets =>
  row?.network === 'graph' && row.tokenSealed && row.appSecretSealed
    ? { token: sealer.open(row.tokenSealed), appSecret: sealer.open(row.appSecretSealed) }
    : {}

/** The setting with the address that the far side's secrets belong to. */
const ADDRESSED_BY: Partial<Record<Name, string>> = { shopify: 'shop', woocommerce: 'url', ai: 'url' }

/**
 * Returns the secrets that stay valid with `settings`. A far side's secrets are only for its address, because
 * sending them to a changed address would let the person who changed it read them. Secrets that we created
 * stay.
 */
export function secretsFor(
  row: Pick<IntegrationRow, 'name' | 'settings' | 'secretsSealed'> | undefined,
  settings: Record<string, unknown>,
  sealer: Sealer,
): Secrets {
  if (!row) return {}
  const secrets = openSecrets(row.secretsSealed, sealer)
  const address = ADDRESSED_BY[row.name]
  if (address === undefined || row.settings[address] === settings[address]) return secrets
  return Object.fromEntries(Object.entries(secrets).filter(([name]) => !SECRETS[row.name].includes(name)))
}

const SHOWN = 4
/** Returns `****mOuk`: enough to distinguish secrets, and not usable as one. Null if there is none. */
export const masked = (secret: string | undefined): string | null =>
  secret === undefined ? null : `****${secret.slice(-SHOWN)}`

/**
 * Returns whether `value` is the shown form of the secret. Earlier versions showed only the four characters.
 */
const isShown = (secret: string | undefined, value: string): boolean =>
  secret !== undefined && (value === masked(secret) || value === secret.slice(-SHOWN))

/**
 * Returns `storedSecrets` with the new secrets in `input`. Omitted secrets, and values in shown form,
 * replace nothing.
 */
export function mergeSecrets(
  names: readonly string[],
  input: Record<string, unknown>,
  storedSecrets: Secrets,
): Secrets {
  const merged: Secrets = {}
  for (const name of names) {
    const before = storedSecrets[name]
    const value = input[name]
    if (value === null) continue
    if (typeof value === 'string' && !isShown(before, value)) merged[name] = value
    else if (before !== undefined) merged[name] = before
  }
  return merged
}
