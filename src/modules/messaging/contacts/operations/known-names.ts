import type { Context } from '../../../../core/context.ts'
import { listTagNames } from '../queries/tags.ts'
import { readFieldRules } from './field-rules.ts'

/** Returns the tags that the workspace doesn't know. */
export async function unknownTags(ctx: Context, names: readonly string[]): Promise<string[]> {
  if (names.length === 0) return []
  const existing = await listTagNames(ctx, names)
  return names.filter((name) => !existing.has(name))
}

/** Returns the keys that aren't declared fields of contacts. */
export async function undeclaredFields(ctx: Context, keys: readonly string[]): Promise<string[]> {
  const attributes = Object.fromEntries(keys.map((key) => [key, null]))
  const rules = await readFieldRules(ctx, [{ workspaceId: ctx.workspace.id, attributes }])
  const declared = new Set([...rules.values()].map((field) => field.key))
  return keys.filter((key) => !declared.has(key))
}
