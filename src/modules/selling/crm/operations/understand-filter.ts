/**
 * Resolves a filter in its workspace: names become ids, days become times (spec 2.1, 4.5;
 * DECISIONS.md "Lists of leads").
 */

import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context, Workspace } from '../../../../core/context.ts'
import { hidesDetails } from '../../../../core/customer-details.ts'
import { type Issue, Refusal } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { startOfDay } from '../../../../core/values/calendar.ts'
import { digitsOf, readNumber } from '../../../../core/values/phone.ts'
import { otherSpellings } from '../../../../core/values/phone-spellings.ts'
import { spellings } from '../../../../core/values/spellings.ts'
import { InstantInput } from '../../../../core/values/text.ts'
import {
  ATTRIBUTE_PREFIX,
  FIELDS,
  type FilterCondition,
  kindOfField,
  type LeadFilter,
  OPS_OF,
  type Op,
} from '../filter-schema.ts'
import {
  type Comparison,
  type Condition,
  type IdColumn,
  likePatterns,
  lowered,
  NONE,
  type NumberColumn,
  type TextColumn,
  type TimeColumn,
} from '../lead-condition.ts'
import { STAGE_KINDS } from '../schema.ts'
import { type LearnedNumbers, NO_NUMBERS } from './learned-numbers.ts'
import { type Pipeline, stageIdsOf, standingStage } from './pipeline.ts'
import type { LeadWords } from './present-lead.ts'
import { resolveLostReason, resolveMember, resolveStage } from './references.ts'

type Scalar = string | number | boolean
/** The moment and the place that days, times, and national numbers are read in. */
export type FilterContext = Pick<Context, 'now'> & { workspace: Pick<Workspace, 'countryCode' | 'timezone'> }

type FieldCondition = {
  ctx: FilterContext
  words: LeadWords
  numbers: LearnedNumbers
  field: string
  op: Op
  value: FilterCondition['value']
}

/** Why a condition is invalid. `part` is the invalid part. */
class Misunderstood extends Error {
  readonly part: 'field' | 'op' | 'value'
  constructor(part: 'field' | 'op' | 'value', message: string) {
    super(message)
    this.part = part
  }
}
const wrong = (message: string): never => {
  throw new Misunderstood('value', message)
}

/**
 * Returns the filter as a condition. `issues` has the invalid parts, by their path under `path`. `numbers`
 * can be left out where only `issues` are used.
 */
export function understandFilter(
  ctx: FilterContext,
  words: LeadWords,
  filter: LeadFilter,
  path: string,
  numbers: LearnedNumbers = NO_NUMBERS,
): { condition: Condition; issues: Issue[] } {
  const issues: Issue[] = []
  const parts = filter.conditions.map(({ field, op, value }, i): Condition => {
    try {
      return understand({ ctx, words, numbers, field, op, value })
    } catch (error) {
      if (!(error instanceof Misunderstood)) throw error
      issues.push({ path: `${path}.conditions[${i}].${error.part}`, message: error.message })
      return NONE
    }
  })
  return { condition: filter.match === 'all' || parts.length === 0 ? { all: parts } : { any: parts }, issues }
}

const OPPOSITES: Partial<Record<Op, Op>> = { neq: 'eq', nin: 'in', notEmpty: 'empty' }

function understand(condition: FieldCondition): Condition {
  const kind = kindOfField(condition.field)
  if (kind === undefined)
    throw new Misunderstood('field', `Must be one of ${Object.keys(FIELDS).join(', ')}, attributes.KEY.`)
  const allowed: readonly Op[] = OPS_OF[kind]
  if (!allowed.includes(condition.op))
    throw new Misunderstood('op', `Must be one of ${allowed.join(', ')} for ${condition.field}.`)
  const opposite = OPPOSITES[condition.op]
  if (opposite) return { not: understand({ ...condition, op: opposite }) }
  switch (kind) {
    case 'id':
      return { is: 'in', of: condition.field as IdColumn, values: textsOf(condition).map(idOf) }
    case 'reference':
    case 'optionalReference':
      return reference(condition)
    case 'text':
      return text(condition, condition.field as TextColumn)
    case 'phone':
      return phone(condition)
    case 'number':
      return number(condition, condition.field as NumberColumn)
    case 'time':
      return time(condition, condition.field as TimeColumn)
    case 'tags':
      return tags(condition)
    case 'attribute':
      return attribute(condition, condition.field.slice(ATTRIBUTE_PREFIX.length))
  }
}

const HIDDEN_FIELDS = ['phone', 'email']
const PARTIAL_OPS: Op[] = ['contains', 'starts']

/**
 * Returns the issues of conditions that would reveal hidden numbers and addresses digit by digit. Callers from whom they are
 * hidden compare whole values only.
 */
export const hiddenConditions = (ctx: Context, { conditions }: LeadFilter, path: string): Issue[] =>
  hidesDetails(ctx)
    ? conditions.flatMap(({ field, op }, i) =>
        HIDDEN_FIELDS.includes(field) && PARTIAL_OPS.includes(op)
          ? [
              {
                path: `${path}.conditions[${i}].op`,
                message: `Must be eq, neq, in, or nin for ${field}, because it is hidden from your role.`,
              },
            ]
          : [],
      )
    : []

/** Returns the values of a condition: one, or a list for `in`. */
function scalarsOf({ op, value }: FieldCondition): Scalar[] {
  const isList = Array.isArray(value)
  if (op === 'in') return isList ? value : wrong('Must be a list.')
  if (op === 'between')
    return isList && value.length === 2 ? value : wrong('Must be a list of two: from and to.')
  if (value === undefined || value === null || typeof value === 'object')
    return wrong('Must be one text, number, or boolean.')
  return [value]
}

const textsOf = (condition: FieldCondition): string[] =>
  scalarsOf(condition).map((value) => (typeof value === 'string' ? value : wrong('Must be text.')))

const idOf = (text: string): string => (isUuid(text) ? text.toLowerCase() : wrong('Must be an id.'))

const orRefuse = <T>(found: T | Refusal): T =>
  found instanceof Refusal ? wrong(found.message.replace(/^[a-zA-Z]+: /, '')) : found

/** Returns the id for a reference in a condition. Removed stages and lost reasons are found by id. */
function referenceId(field: string, ref: string, { pipeline, team }: LeadWords): string {
  if (field === 'owner') return orRefuse(resolveMember(ref, team, 'value')).id
  const id = ref.toLowerCase()
  if (field === 'lostReason')
    return (
      pipeline.removedReasons.find((reason) => reason.id === id)?.id ??
      orRefuse(resolveLostReason(ref, pipeline)).id
    )
  const removedStage = pipeline.removedStages.find((stage) => stage.id === id)
  return removedStage ? standingStage(pipeline, removedStage.id).id : orRefuse(resolveStage(ref, pipeline)).id
}

/** Returns a valid condition with ids instead of names for stages, lost reasons, and people. */
export function namesAsIds(words: LeadWords, condition: FilterCondition): FilterCondition {
  const { field, value } = condition
  if (!['stage', 'owner', 'lostReason'].includes(field) || value === undefined) return condition
  const idOfName = (ref: unknown) => (typeof ref === 'string' ? referenceId(field, ref, words) : ref)
  const ids = Array.isArray(value) ? value.map(idOfName) : idOfName(value)
  return { ...condition, value: ids as FilterCondition['value'] }
}

function reference(condition: FieldCondition): Condition {
  const { field, op, words } = condition
  const { pipeline, team } = words
  if (field === 'lostReason') return lostReason(condition)
  if (op === 'empty')
    // A former member no longer counts as owner.
    return { not: { is: 'in', of: 'owner', values: team.map((member) => member.id) } }
  const refs = textsOf(condition)
  if (field === 'owner')
    return { is: 'in', of: field, values: refs.map((ref) => referenceId(field, ref, words)) }
  if (field === 'stageKind')
    return inAnyStage(
      pipeline,
      refs.flatMap((kind) =>
        STAGE_KINDS.some((name) => name === kind)
          ? stagesOfKind(pipeline, kind)
          : wrong(`Must be one of ${STAGE_KINDS.join(', ')}.`),
      ),
    )
  return inAnyStage(
    pipeline,
    refs.map((ref) => referenceId(field, ref, words)),
  )
}

const stagesOfKind = ({ stages }: Pipeline, kind: string): string[] =>
  stages.filter((stage) => stage.kind === kind).map((stage) => stage.id)

const inAnyStage = (pipeline: Pipeline, stages: string[]): Condition => ({
  is: 'in',
  of: 'stage',
  values: stages.flatMap((id) => stageIdsOf(pipeline, id)),
})

/**
 * Returns the condition for a lost reason. It applies only to lost leads, because the kind of a stage may
 * have changed.
 */
function lostReason(condition: FieldCondition): Condition {
  const { op, field, words } = condition
  const isLost = inAnyStage(words.pipeline, stagesOfKind(words.pipeline, 'lost'))
  if (op === 'empty') return { not: { all: [isLost, { not: { is: 'null', of: 'lostReason' } }] } }
  const values = textsOf(condition).map((ref) => referenceId(field, ref, words))
  return { all: [isLost, { is: 'in', of: 'lostReason', values }] }
}

function text(condition: FieldCondition, column: TextColumn): Condition {
  if (condition.op === 'empty')
    return {
      any: [
        { is: 'null', of: column },
        { is: 'in', of: column, values: [''] },
      ],
    }
  const values = textsOf(condition)
  if (condition.op === 'in' || condition.op === 'eq')
    return { is: 'in', of: column, values: values.flatMap(spellings).map(lowered) }
  const needle = values[0]!
  const like = likeText(condition, column, needle)
  // The index of words narrows the rows before the exact field is compared.
  return column === 'source' ? like : { all: [anyLike('words', likePatterns(needle, 'around')), like] }
}

type Searched = Extract<Condition, { is: 'like' }>['of']

const anyLike = (column: Searched, patterns: string[]): Condition => {
  const alternatives = patterns.map((pattern): Condition => ({ is: 'like', of: column, pattern }))
  return alternatives.length === 1 ? alternatives[0]! : { any: alternatives }
}

const likeText = ({ op }: FieldCondition, column: Searched, text: string): Condition =>
  anyLike(column, likePatterns(text, op === 'starts' ? 'beginning' : 'around'))

/** Returns prefixes of stored numbers that begin with `digits`, written with or without the country code. */
export function phonePrefixes(ctx: FilterContext, text: string): string[] {
  const digits = text.replace(/\D/g, '')
  if (text.trim().startsWith('+')) return [digits]
  const national = `${ctx.workspace.countryCode}${digits.replace(/^0+/, '')}`
  return national.startsWith(digits) ? [digits] : [digits, national]
}

function phone(condition: FieldCondition): Condition {
  const { ctx, op } = condition
  const values = textsOf(condition)
  if (op === 'eq' || op === 'in') {
    const digits = values.flatMap((value) => {
      const { stored } = readNumber(value, ctx.workspace)
      if (stored.length === 0) return wrong('Must be a phone number.')
      const learnedNumbers = condition.numbers.get(value) ?? []
      return stored.flatMap((phone) => [phone, ...otherSpellings(phone)].map(digitsOf)).concat(learnedNumbers)
    })
    return { is: 'in', of: 'phone', values: digits }
  }
  const digits = values[0]!.replace(/[\s+().-]/g, '')
  if (!/^\d{1,15}$/.test(digits)) return wrong('Must be digits of a phone number.')
  if (op === 'contains') return likeText(condition, 'phone', digits)
  return { any: phonePrefixes(ctx, values[0]!).map((prefix) => ({ is: 'prefix', digits: prefix })) }
}

const WHOLE = new Set<NumberColumn>(['rating', 'captureCount'])
const MAX_WHOLE = 2_147_483_647

/** Returns a comparison of a column. Integers are compared with integers, so that the index is used. */
function compared(column: NumberColumn, comparison: Comparison, value: number): Condition {
  if (!WHOLE.has(column)) return { is: comparison, of: column, value }
  if (comparison === 'eq' && !Number.isInteger(value)) return NONE
  const wholeBound = comparison === 'gte' || comparison === 'lt' ? Math.ceil(value) : Math.floor(value)
  if (Math.abs(wholeBound) <= MAX_WHOLE) return { is: comparison, of: column, value: wholeBound }
  const matchesAll = comparison === 'eq' ? false : value > 0 === (comparison === 'lt' || comparison === 'lte')
  return matchesAll ? { all: [] } : NONE
}

function number(condition: FieldCondition, column: NumberColumn): Condition {
  const { op } = condition
  const values = scalarsOf(condition).map((value) =>
    typeof value === 'number' ? value : wrong('Must be a number.'),
  )
  if (op === 'in') return { any: values.map((value) => compared(column, 'eq', value)) }
  if (op === 'between')
    return { all: [compared(column, 'gte', values[0]!), compared(column, 'lte', values[1]!)] }
  return compared(column, op as Comparison, values[0]!)
}

type Stretch = { from: Date; below: Date } | { at: Date }

/** Returns a time, or the day that a date means in the workspace. */
function momentOf({ ctx }: FieldCondition, text: string): Stretch {
  const { timezone } = ctx.workspace
  const from = startOfDay(text, timezone)
  if (from) {
    const nextDay = later(new Date(`${text}T00:00:00Z`), DAY_MS)
      .toISOString()
      .slice(0, 10)
    return { from, below: startOfDay(nextDay, timezone) ?? later(from, DAY_MS) }
  }
  const parsed = InstantInput.safeParse(text)
  return parsed.success
    ? { at: parsed.data }
    : wrong('Must be a date, such as 2026-06-01, or an ISO 8601 time with an offset.')
}

function time(condition: FieldCondition, column: TimeColumn): Condition {
  const { ctx, op, value } = condition
  if (op === 'empty') return { is: 'null', of: column }
  if (op === 'within') {
    if (value === null || typeof value !== 'object' || Array.isArray(value))
      return wrong('Must be {last: days} or {next: days}.')
    const [from, to] =
      'last' in value
        ? [later(ctx.now, -value.last * DAY_MS), ctx.now]
        : [ctx.now, later(ctx.now, value.next * DAY_MS)]
    return {
      all: [
        { is: 'gte', of: column, value: from },
        { is: 'lte', of: column, value: to },
      ],
    }
  }
  const moments = textsOf(condition).map((text) => momentOf(condition, text))
  const bound = (comparison: Comparison, moment: Stretch): Condition => {
    if ('at' in moment) return { is: comparison, of: column, value: moment.at }
    const { from, below } = moment
    if (comparison === 'eq') return { all: [bound('gte', moment), bound('lte', moment)] }
    if (comparison === 'gte' || comparison === 'lt') return { is: comparison, of: column, value: from }
    return comparison === 'gt'
      ? { is: 'gte', of: column, value: below }
      : { is: 'lt', of: column, value: below }
  }
  if (op === 'between') return { all: [bound('gte', moments[0]!), bound('lte', moments[1]!)] }
  return bound(op as Comparison, moments[0]!)
}

function tags(condition: FieldCondition): Condition {
  if (condition.op === 'empty') return { is: 'untagged' }
  return { is: 'tagged', how: 'anyOf', tags: textsOf(condition) }
}

/** Returns the number in a text, in the usual spelling of numbers. */
const numberIn = (text: string): number | undefined =>
  text.trim() !== '' && String(Number(text)) === text && Number.isFinite(Number(text))
    ? Number(text)
    : undefined

/**
 * Returns the types under which a value may be stored. The database distinguishes text, number, and boolean;
 * people usually don't.
 */
function typesOf(value: Scalar): Scalar[] {
  if (typeof value !== 'string') return [value, String(value)]
  const other = value === 'true' || value === 'false' ? value === 'true' : numberIn(value)
  return other === undefined ? [value] : [value, other]
}

/** Returns the values in a common order: numeric if each is a number, otherwise as text. */
function inOneOrder(values: Scalar[]): (number | string)[] {
  const numbers = values.map((value) => (typeof value === 'string' ? numberIn(value) : value))
  if (numbers.every((value) => typeof value === 'number')) return numbers
  return values.map((value) =>
    typeof value === 'boolean' ? wrong('Must be a number or text.') : lowered(String(value)),
  )
}

function attribute(condition: FieldCondition, key: string): Condition {
  const { op } = condition
  const column = { attribute: key }
  if (op === 'empty')
    return {
      any: [
        { is: 'null', of: column },
        { is: 'holds', attributes: { [key]: '' } },
      ],
    }
  const values = scalarsOf(condition)
  if (op === 'eq' || op === 'in')
    return {
      any: values.flatMap(typesOf).map((value): Condition => ({ is: 'holds', attributes: { [key]: value } })),
    }
  if (op === 'contains' || op === 'starts') return likeText(condition, column, textsOf(condition)[0]!)
  const orderly = inOneOrder(values)
  if (op === 'between')
    return {
      all: [
        { is: 'gte', of: column, value: orderly[0]! },
        { is: 'lte', of: column, value: orderly[1]! },
      ],
    }
  return { is: op as Comparison, of: column, value: orderly[0]! }
}
