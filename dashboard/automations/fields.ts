/** Defines the fields and operators of conditions: they use the filter language of leads. */
import type { Template } from '../../sdk/api.ts'
import type { Condition, Trigger } from './queries.ts'
import { t, textIfExists } from './texts.ts'

export type Op = Condition['op']
export type Kind = 'text' | 'phone' | 'number' | 'time' | 'tags' | 'words' | 'value' | 'choice' | 'yesNo'
export type Choice = { value: string; label: string }
export type Field = {
  name: string
  label: string
  kind: Kind
  choices?: readonly Choice[]
  /** The field may be empty. */
  optional?: true
}

/** The values to choose from. */
export type Catalog = {
  stages: readonly Choice[]
  lostReasons: readonly Choice[]
  team: readonly Choice[]
  /** The teams that share chats. */
  teams: readonly Choice[]
  tags: readonly string[]
  attributes: readonly Choice[]
  numbers: readonly Choice[]
  templates: readonly Template[]
  bots: readonly Choice[]
  examples: Readonly<Record<string, Record<string, unknown>>>
}

const EMPTINESS: Op[] = ['empty', 'notEmpty']
const OPS: Record<Kind, readonly Op[]> = {
  text: ['eq', 'neq', 'contains', 'starts', 'in', 'nin', ...EMPTINESS],
  phone: ['starts', 'eq', 'neq', 'contains'],
  number: ['gte', 'lte', 'eq', 'neq', 'gt', 'lt', 'between'],
  time: ['within', 'gte', 'lte', 'between', ...EMPTINESS],
  tags: ['in', 'nin', ...EMPTINESS],
  words: ['in', 'nin', ...EMPTINESS],
  value: ['eq', 'neq', 'contains', 'starts', 'in', 'nin', 'gte', 'lte', 'between', ...EMPTINESS],
  choice: ['eq', 'neq', 'in', 'nin'],
  yesNo: ['eq'],
}

/** Returns the operators of a field; the operator of a stored condition stays among them. */
export const opsOf = ({ kind, optional }: Field, stored?: Op): Op[] => {
  const ops = [...OPS[kind], ...(kind === 'choice' && optional ? EMPTINESS : [])]
  return stored && !ops.includes(stored) ? [...ops, stored] : ops
}

export const needsNoValue = (op: Op): boolean => op === 'empty' || op === 'notEmpty'
export const isList = (op: Op): boolean => op === 'in' || op === 'nin'

/** Returns the first value to compare with, until a member changes it. */
export function firstValue({ kind, choices }: Field, op: Op): Condition['value'] {
  if (needsNoValue(op)) return undefined
  if (op === 'within') return { last: 7 }
  if (op === 'between') return kind === 'number' ? [0, 0] : ['', '']
  if (isList(op)) return []
  if (kind === 'yesNo') return true
  if (kind === 'choice') return choices?.[0]?.value ?? ''
  return kind === 'number' ? 0 : ''
}

/** Returns a new condition on a field. */
export function conditionOn(field: Field, op: Op = opsOf(field)[0]!): Condition {
  const value = firstValue(field, op)
  return { field: field.name, op, ...(value === undefined ? {} : { value }) }
}

const labelChoices = (prefix: string, values: readonly string[]): Choice[] =>
  values.map((value) => ({ value, label: textIfExists(`${prefix}.${value}`) ?? value }))

const STAGE_KINDS = ['initial', 'active', 'won', 'lost']
const OPT_IN = ['unknown', 'opted_in', 'opted_out']
const STATES = ['open', 'pending', 'resolved']
const PRIORITIES = ['low', 'normal', 'high', 'urgent']

const field = (name: string, kind: Kind, overrides: Partial<Field> = {}): Field => ({
  name,
  kind,
  label: textIfExists(`field.${name}`) ?? name,
  ...overrides,
})

const leadFields = ({ stages, lostReasons, team }: Catalog): Field[] => [
  field('lead.stage', 'choice', { choices: stages }),
  field('lead.stageKind', 'choice', { choices: labelChoices('stageKind', STAGE_KINDS) }),
  field('lead.owner', 'choice', { choices: team, optional: true }),
  field('lead.tags', 'tags'),
  field('lead.source', 'text'),
  field('lead.dealValue', 'number'),
  field('lead.rating', 'number'),
  field('lead.paidTotal', 'number'),
  field('lead.captureCount', 'number'),
  field('lead.name', 'text'),
  field('lead.email', 'text'),
  field('lead.phone', 'phone'),
  field('lead.lostReason', 'choice', { choices: lostReasons, optional: true }),
  field('lead.createdAt', 'time'),
  field('lead.nextFollowUpAt', 'time'),
]

const contactFields = ({ attributes }: Catalog): Field[] => [
  field('contact.tags', 'tags'),
  field('contact.displayName', 'text'),
  field('contact.phone', 'phone'),
  field('contact.optInStatus', 'choice', { choices: labelChoices('optIn', OPT_IN) }),
  field('contact.blocked', 'yesNo'),
  field('contact.channel', 'choice', { choices: labelChoices('channel', ['chat', 'social']) }),
  field('contact.createdAt', 'time'),
  field('contact.lastSeenAt', 'time'),
  ...attributes.map(({ value, label }) =>
    field(`contact.attributes.${value}`, 'value', { label: t('field.contact', { name: label }) }),
  ),
]

const chatFields = ({ team, numbers }: Catalog): Field[] => [
  field('conversation.state', 'choice', { choices: labelChoices('state', STATES) }),
  field('conversation.priority', 'choice', { choices: labelChoices('priority', PRIORITIES) }),
  field('conversation.assignedAgentId', 'choice', { choices: team, optional: true }),
  field('conversation.windowOpen', 'yesNo'),
  field('conversation.isArchived', 'yesNo'),
  field('conversation.unreadCount', 'number'),
  ...(numbers.length > 1 ? [field('conversation.phoneNumberId', 'choice', { choices: numbers })] : []),
  field('conversation.lastMessageAt', 'time'),
]

/** IDs and addresses mean nothing to members. */
const UNREAD = /(^|\.)(id|\w+Id|chanmid|mid|url|permalink)$/
const readablePath = (path: string): string =>
  path
    .split('.')
    .map((part) => part.replace(/([A-Z])/g, ' $1').toLowerCase())
    .join(' ')

function collectLeaves(value: unknown, path: string): [string, unknown][] {
  if (Array.isArray(value))
    return value.length > 0 && value.every((item) => typeof item === 'string') ? [[path, value]] : []
  if (value !== null && typeof value === 'object')
    return Object.entries(value).flatMap(([name, inner]) =>
      collectLeaves(inner, path ? `${path}.${name}` : name),
    )
  return [[path, value]]
}

const kindOf = (value: unknown): Kind =>
  Array.isArray(value)
    ? 'words'
    : typeof value === 'boolean'
      ? 'yesNo'
      : typeof value === 'number'
        ? 'number'
        : 'value'

/** Returns the fields of an event from its example: paths and labels. */
export const eventPaths = (
  trigger: Trigger,
  { examples }: Catalog,
): { path: string; label: string; value: unknown }[] =>
  'event' in trigger
    ? collectLeaves(examples[trigger.event] ?? {}, '')
        .filter(([path]) => !UNREAD.test(path))
        .map(([path, value]) => ({ path, label: readablePath(path), value }))
    : []

/** Returns all fields for conditions on a trigger. */
export const fieldsFor = (trigger: Trigger, catalog: Catalog): Field[] => [
  ...eventPaths(trigger, catalog).map(({ path, label, value }) =>
    field(`event.${path}`, kindOf(value), {
      label: t('field.event', { name: label }),
      ...(path.endsWith('stage.kind')
        ? { kind: 'choice' as const, choices: labelChoices('stageKind', STAGE_KINDS) }
        : {}),
    }),
  ),
  ...leadFields(catalog),
  ...contactFields(catalog),
  ...chatFields(catalog),
  field('now.open', 'yesNo'),
]

const LEAD_ATTRIBUTE = 'lead.attributes.'

/** Returns the field of a condition, also if it is not offered. */
export const fieldNamed = (fields: readonly Field[], name: string): Field =>
  fields.find((candidate) => candidate.name === name) ?? {
    name,
    label: name.startsWith(LEAD_ATTRIBUTE)
      ? t('field.lead', { name: name.slice(LEAD_ATTRIBUTE.length) })
      : name,
    kind: 'value',
  }
