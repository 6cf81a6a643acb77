/**
 * The condition of a list of leads, with ids instead of names and times instead of days. Filters that clients
 * write are converted to it, and `lead_condition` in migrations/0013_lead_lists.sql turns it into SQL.
 */

import { spellings } from '../../../core/values/spellings.ts'
import { FIRST_MOMENT, LAST_MOMENT } from '../../../core/values/text.ts'
import { containsLike, startsLike } from '../../../database/sql/like.ts'

export type IdColumn = 'id' | 'contactId' | 'stage' | 'owner' | 'lostReason'
export type TextColumn = 'phone' | 'name' | 'email' | 'source'
export type NumberColumn = 'rating' | 'captureCount' | 'dealValue' | 'paidTotal'
export type TimeColumn = 'nextFollowUpAt' | 'lastCapturedAt' | 'createdAt' | 'updatedAt'
export type Comparison = 'eq' | 'gt' | 'gte' | 'lt' | 'lte'
type Attribute = { attribute: string }

export type Condition =
  | { all: Condition[] }
  | { any: Condition[] }
  | { not: Condition }
  | { is: 'in'; of: IdColumn | TextColumn; values: string[] }
  | { is: Comparison; of: NumberColumn; value: number }
  | { is: Comparison; of: TimeColumn; value: Date }
  | { is: 'prefix'; digits: string }
  | { is: Comparison; of: Attribute; value: string | number }
  | { is: 'like'; of: TextColumn | 'words' | Attribute; pattern: string }
  | { is: 'null'; of: IdColumn | TextColumn | TimeColumn | Attribute }
  | { is: 'holds'; attributes: Record<string, unknown> }
  | { is: 'tagged'; how: 'allOf' | 'anyOf'; tags: string[] }
  | { is: 'untagged' }
  | { is: 'noteLike'; pattern: string }
  | { is: 'noted' }

/** Digits of the longest phone number. */
const MAX_PHONE = 15

export const ALL: Condition = { all: [] }
export const NONE: Condition = { any: [] }

/** Returns the parts that must all match. */
export const partsOf = (condition: Condition): Condition[] =>
  'all' in condition ? condition.all.flatMap(partsOf) : [condition]

// Capitals that PostgreSQL may lowercase differently from JavaScript. PostgreSQL converts them.
const ODD_CAPITALS = /[İΣ]/

/** Returns the text in lower case for comparison. PostgreSQL completes the conversion. */
export const lowered = (text: string): string => (ODD_CAPITALS.test(text) ? text : text.toLowerCase())

/**
 * Returns whether all compared texts are in their stored lower case, so that the condition can also be
 * evaluated here.
 */
export const isLowered = (condition: Condition): boolean => !ODD_CAPITALS.test(JSON.stringify(condition))

/**
 * Returns LIKE patterns that find a text anywhere (`around`) or at the beginning, in each of its spellings.
 * Wildcards in the text match themselves.
 */
export const likePatterns = (text: string, where: 'around' | 'beginning'): string[] =>
  spellings(text)
    .map(lowered)
    .map(where === 'around' ? containsLike : startsLike)

// Relative days can be out of the range of stored times.
const clampMoment = (moment: Date): Date =>
  moment < FIRST_MOMENT ? FIRST_MOMENT : moment > LAST_MOMENT ? LAST_MOMENT : moment

type Tree = (string | number | Tree)[]

/**
 * Returns the condition as `lead_condition` reads it: a tree of names and positions, and the values for these
 * positions.
 */
export function asParameters(condition: Condition): { tree: string; values: string } {
  const values: string[] = []
  const keep = (value: string): number => values.push(value) - 1
  const treeOf = (part: Condition): Tree => {
    if ('all' in part) return ['all', ...part.all.map(treeOf)]
    if ('any' in part) return ['any', ...part.any.map(treeOf)]
    if ('not' in part) return ['not', treeOf(part.not)]
    switch (part.is) {
      case 'noted':
        return ['noted']
      case 'noteLike':
        return ['noteLike', 'note', keep(part.pattern)]
      case 'untagged':
        return ['none', 'tags']
      case 'tagged':
        return [part.how, 'tags', keep(arrayText(part.tags))]
      case 'holds':
        return ['holds', 'attributes', keep(JSON.stringify(part.attributes))]
      case 'null':
        return [part.is, ...placeOf(part.of, '')]
      case 'in':
        return part.values.length === 1
          ? ['eq', part.of, keep(part.values[0]!)]
          : ['in', part.of, keep(arrayText(part.values))]
      case 'prefix':
        return [
          'all',
          ['gte', 'phone', keep(part.digits)],
          ['lte', 'phone', keep(part.digits.padEnd(MAX_PHONE + 1, '9'))],
        ]
      case 'like':
        return [part.is, ...placeOf(part.of, part.pattern)]
      case 'eq':
      case 'gt':
      case 'gte':
      case 'lt':
      case 'lte':
        return [part.is, ...placeOf(part.of, part.value)]
    }
  }
  const placeOf = (column: string | Attribute, value: string | number | Date): Tree => {
    const position = keep(value instanceof Date ? clampMoment(value).toISOString() : String(value))
    return typeof column === 'string'
      ? [column, position]
      : ['attribute', position, keep(column.attribute), typeof value === 'number' ? 'number' : 'text']
  }
  return { tree: JSON.stringify(treeOf(condition)), values: JSON.stringify(values) }
}

/** Returns a list in PostgreSQL's array syntax. */
const arrayText = (items: string[]): string =>
  `{${items.map((item) => `"${item.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`
