/** Checks writes of `attributes` against the types of declared custom fields (DECISIONS.md "Contacts"). */
import { z } from 'zod'
import type { Unit } from '../../../../core/context.ts'
import { type Issue, invalid, type Refusal } from '../../../../core/errors.ts'
import { type ContactFieldRow, listFieldsOfWorkspaces } from '../queries/fields.ts'

/** Declared fields by workspace and key. */
export type FieldRules = Map<string, ContactFieldRow>

/** A write of attributes in a workspace. */
export type AttributesWrite = { workspaceId: string; attributes: Record<string, unknown> | undefined }

const placeOf = (workspaceId: string, key: string): string => `${workspaceId} ${key}`

/** Reads the declarations for writes that set attributes. Runs no query if none do. */
export async function readFieldRules(unit: Pick<Unit, 'tx'>, writes: AttributesWrite[]): Promise<FieldRules> {
  const concerned = new Set(
    writes
      .filter(({ attributes }) => attributes !== undefined && Object.keys(attributes).length > 0)
      .map(({ workspaceId }) => workspaceId),
  )
  if (concerned.size === 0) return new Map()
  const fields = await listFieldsOfWorkspaces(unit.tx, [...concerned])
  return new Map(fields.map((field) => [placeOf(field.workspaceId, field.key), field]))
}

/**
 * Returns the refusal of values that don't match their declaration, and names each (`attributes.city`).
 * Undeclared keys accept any value.
 */
export function attributesRefusal(
  rules: FieldRules,
  { workspaceId, attributes = {} }: AttributesWrite,
): Refusal | undefined {
  if (rules.size === 0) return undefined
  const issues = Object.entries(attributes).flatMap(([key, value]): Issue[] => {
    const field = rules.get(placeOf(workspaceId, key))
    // Null removes the key of any type.
    const rule = field && value !== null ? ruleBroken(field, value) : undefined
    return rule ? [{ path: `attributes.${key}`, message: `Must be ${rule}, or null.` }] : []
  })
  return issues.length > 0 ? invalid(issues) : undefined
}

const CALENDAR_DAY = z.iso.date()
const MOMENT = z.iso.datetime({ offset: true })
const MAX_OPTIONS_NAMED = 10

/** Returns the requirement of the field as text if `value` doesn't meet it. */
function ruleBroken({ type, options }: ContactFieldRow, value: unknown): string | undefined {
  if (type === 'text') return typeof value === 'string' ? undefined : 'text'
  if (type === 'number') return typeof value === 'number' ? undefined : 'a number'
  if (type === 'boolean') return typeof value === 'boolean' ? undefined : 'true or false'
  if (type === 'date')
    return CALENDAR_DAY.safeParse(value).success || MOMENT.safeParse(value).success
      ? undefined
      : 'a date (2026-06-01) or an ISO 8601 time with an offset'
  const choices = options ?? []
  if (typeof value === 'string' && choices.includes(value)) return undefined
  const named = choices.slice(0, MAX_OPTIONS_NAMED).map((option) => JSON.stringify(option))
  return `one of ${named.join(', ')}${choices.length > MAX_OPTIONS_NAMED ? ' …' : ''}`
}
