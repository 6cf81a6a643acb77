/** Placeholders in texts, such as `{{lead.name}}`: checks and fills them in. */
import type { z } from 'zod'
import type { Issue } from '../../../../core/errors.ts'
import { fillPlaces } from '../../../../core/values/fill-places.ts'
import { Contact } from '../../../messaging/contacts/schema.ts'
import { Lead } from '../../../selling/crm/schema.ts'
import type { Action } from '../action-schema.ts'
import { knowsPath, namesAt, valueAt } from '../known-paths.ts'

const PLACEHOLDER = /\{\{([^{}]*)\}\}/g

/** Returns whether a value has placeholders, and so may differ between customers. */
export const hasPlaceholders = (value: unknown): boolean =>
  typeof value === 'string' && value.search(PLACEHOLDER) >= 0

/** Returns every text of an action that may contain placeholders, by path. */
export function textsOf(action: Action): [string, string][] {
  const values = (texts: string[] | undefined): [string, string][] =>
    (texts ?? []).map((text, i) => [`variables[${i}]`, text])
  const { type } = action
  if (type === 'send_template') return values(action.variables)
  if (type === 'send_text') return [['text', action.text], ...values(action.variables)]
  if (type === 'add_note') return [['text', action.text]]
  if (type === 'create_task') return action.title === undefined ? [] : [['title', action.title]]
  if (type === 'set_field') return typeof action.value === 'string' ? [['value', action.value]] : []
  if (type !== 'create_lead') return []
  return (['name', 'source', 'note'] as const).flatMap((field): [string, string][] =>
    action[field] === undefined ? [] : [[field, action[field]]],
  )
}

/** The max faults reported for a text, because each fault lists the known names. */
const MAX_FAULTS = 20

/** Returns the unknown placeholders of a text. `event` describes the data of the triggering event. */
export function unknownPlaceholders(text: string, path: string, event: z.ZodType | undefined): Issue[] {
  const placeholders = new Map(
    Array.from(text.matchAll(PLACEHOLDER), ([whole, inside]) => [whole, inside ?? '']),
  )
  const schemas: Record<string, z.ZodType | undefined> = { lead: Lead, contact: Contact, event }
  const issues: Issue[] = []
  for (const [whole, inside] of placeholders) {
    const [subject = '', ...rest] = inside.trim().split('.')
    const schema = Object.hasOwn(schemas, subject) ? schemas[subject] : undefined
    if (schema && rest.length > 0 && knowsPath(schema, rest)) continue
    const near = schema
      ? namesAt(schema, rest)
          .slice(0, 30)
          .map((name) => `${subject}.${name}`)
      : []
    const knownPlaceholders =
      near.length > 0 ? near.join(', ') : `lead.…, contact.…${event ? ', event.…' : ''}`
    issues.push({ path, message: `Unknown placeholder ${whole}. Known placeholders: ${knownPlaceholders}.` })
    if (issues.length === MAX_FAULTS) break
  }
  return issues
}

function wordsOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(', ')
  if (typeof value === 'string') return value
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
}

/** Fills in the placeholders of a text and cuts it to `max` characters. Missing values are left out. */
export const filled = (text: string, values: Record<string, unknown>, max: number): string =>
  fillPlaces(text, PLACEHOLDER, (inside) => wordsOf(valueAt(values, inside.trim().split('.'))), max)
