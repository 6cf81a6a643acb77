/** Secrets of integrations: sealed together, and shown by their last four characters alone. */
import type { Sealer } from '../../../core/sealing.ts'
import type { IntegrationRow } from '../queries/integrations.ts'
import { type Name, SECRETS } from '../schema.ts'

export type Secrets = Record<string, string>

export const sealSecrets = (secrets: Secrets, sealer: Sealer): Buffer | null =>
  Object.keys(secrets).length === 0 ? null : sealer.seal(JSON.stringify(secrets))

/** Throws when they were sealed with another key. */
export const openSecrets = (sealed: Buffer | null, sealer: Sealer): Secrets =>
  sealed === null ? {} : (JSON.parse(sealer.open(sealed)) as Secrets)

/** The setting that says whom the far side's secrets are for. */
const ADDRESSED_BY: Partial<Record<Name, string>> = { shopify: 'shop', woocommerce: 'url', ai: 'url' }

/**
 * What is known when `settings` arrive. A far side's secrets are for its address alone: sent to another one, whoever may set
 * that could read them there. Those that we made stay.
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
/** `****mOuk`: enough to tell secrets apart, and never to be taken for one. Null: there is none. */
export const masked = (secret: string | undefined): string | null =>
  secret === undefined ? null : `****${secret.slice(-SHOWN)}`

/** Whether `value` is how the secret is shown; the four characters alone were shown by earlier versions. */
const isShown = (secret: string | undefined, value: string): boolean =>
  secret !== undefined && (value === masked(secret) || value === secret.slice(-SHOWN))

/** What is kept of `known` when `given` arrives: what was only read back, or left out, replaces nothing. */
export function keptSecrets(
  names: readonly string[],
  given: Record<string, unknown>,
  known: Secrets,
): Secrets {
  const kept: Secrets = {}
  for (const name of names) {
    const before = known[name]
    const value = given[name]
    if (value === null) continue
    if (typeof value === 'string' && !isShown(before, value)) kept[name] = value
    else if (before !== undefined) kept[name] = before
  }
  return kept
}
