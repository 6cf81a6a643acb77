import type { Unit } from '../../../../core/context.ts'
import { listTemplatesByKey, type TemplateKey, type TemplateRow } from '../queries/templates.ts'
import { languageCode } from '../schema.ts'

/** A template in the form that sends use. */
export type StoredTemplate = TemplateRow

const nameOf = (key: TemplateKey): string =>
  `${key.workspaceId} ${key.accountId} ${languageCode(key.language)} ${key.name}`

/**
 * Returns the templates for a list of sends, in the order of keys; undefined if the number's account has
 * none. Reads each template once, in one statement.
 */
export async function findTemplatesForSend(
  unit: Unit,
  keys: TemplateKey[],
): Promise<(StoredTemplate | undefined)[]> {
  if (keys.length === 0) return []
  const requested = new Map(
    keys.map((key) => [nameOf(key), { ...key, language: languageCode(key.language) }]),
  )
  const rows = await listTemplatesByKey(unit.tx, [...requested.values()])
  const found = new Map(rows.map((row) => [nameOf(row), row]))
  return keys.map((key) => found.get(nameOf(key)))
}
