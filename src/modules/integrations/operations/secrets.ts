/** Secrets of integrations: sealed together, and shown by their last four characters alone. */
import type { Sealer } from '../../../core/sealing.ts'

export type Secrets = Record<string, string>

export const sealSecrets = (secrets: Secrets, sealer: Sealer): Buffer | null =>
  Object.keys(secrets).length === 0 ? null : sealer.seal(JSON.stringify(secrets))

/** Throws when they were sealed with another key. */
export const openSecrets = (sealed: Buffer | null, sealer: Sealer): Secrets =>
  sealed === null ? {} : (JSON.parse(sealer.open(sealed)) as Secrets)

const SHOWN = 4
export const lastFour = (secret: string | undefined): string | null => secret?.slice(-SHOWN) ?? null

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
    if (typeof value === 'string' && !(before !== undefined && value === lastFour(before))) kept[name] = value
    else if (before !== undefined) kept[name] = before
  }
  return kept
}
