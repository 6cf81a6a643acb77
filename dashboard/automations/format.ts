/** Describes automations as text: triggers, conditions, and actions. */
import { formatDuration } from '../kit/duration.ts'
import { language } from '../texts.ts'
import { type Catalog, eventPaths, type Field, fieldNamed, isList, needsNoValue } from './fields.ts'
import type { Action, Condition, Trigger } from './queries.ts'
import { type Key, t, textIfExists } from './texts.ts'

const DAY_MINUTES = 24 * 60
export const UNITS = { minutes: 1, hours: 60, days: DAY_MINUTES } as const
export type Unit = keyof typeof UNITS

/** Returns the largest unit in which the duration is a whole number. */
export const unitOf = (minutes: number): Unit =>
  minutes > 0 && minutes % DAY_MINUTES === 0
    ? 'days'
    : minutes > 0 && minutes % 60 === 0
      ? 'hours'
      : 'minutes'

export const formatEvent = (event: string): string => textIfExists(`event.${event}`) ?? event

/** Returns the title of an event in a list: "A call is missed". */
export function eventTitle(event: string): string {
  const text = formatEvent(event)
  return text === event ? text : text.charAt(0).toLocaleUpperCase(language) + text.slice(1)
}

const formatDays = (every: 'week' | 'month', days: readonly number[]): string =>
  days.map((day) => (every === 'week' ? t(`weekday.${day}` as Key) : String(day))).join(', ')

/** Returns why a run failed, without the type of the step, which the pages show beside it. */
export const withoutAction = (reason: string): string => reason.replace(/^[a-z_]+: /, '')

/** Describes a trigger: "When a call is missed". */
export function formatTrigger(trigger: Trigger): string {
  if ('event' in trigger) return t('when.event', { event: formatEvent(trigger.event) })
  if ('idle' in trigger)
    return t(`when.idle.${trigger.idle.side}`, { length: formatDuration(trigger.idle.minutes) })
  const { every, at, days } = trigger.schedule
  return every === 'day'
    ? t('when.day', { at })
    : t(`when.${every}`, { at, days: formatDays(every, days ?? [1]) })
}

function formatScalar({ choices }: Field, value: string | number | boolean | null | undefined): string {
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no')
  const text = String(value ?? '')
  const today = /^-?\{\{now\.(date|monthDay)\}\}$/.exec(text)?.[1]
  if (today) return t(`value.today.${today as 'date' | 'monthDay'}`)
  return choices?.find((choice) => choice.value === text)?.label ?? text
}

function formatValue(field: Field, { op, value }: Condition): string {
  if (needsNoValue(op)) return ''
  if (value !== null && typeof value === 'object' && !Array.isArray(value))
    return 'last' in value ? t('value.last', { count: value.last }) : t('value.next', { count: value.next })
  if (!Array.isArray(value)) return formatScalar(field, value)
  const texts = value.map((item) => formatScalar(field, item))
  return isList(op) ? texts.join(t('value.or')) : texts.join(t('value.and'))
}

/** Describes a condition: "Lead: stage is Won". */
export function formatCondition(fields: readonly Field[], condition: Condition): string {
  const field = fieldNamed(fields, condition.field)
  return [field.label, t(`op.${condition.op}`), formatValue(field, condition)].filter(Boolean).join(' ')
}

const labelOf = (
  choices: readonly { value: string; label: string }[],
  value: string | null | undefined,
): string =>
  value === null || value === undefined
    ? t('unassigned')
    : (choices.find((choice) => choice.value === value)?.label ?? value)

export const fieldLabel = (name: string, { attributes }: Catalog): string => {
  const key = /^contact\.attributes\.(.+)$/.exec(name)?.[1]
  return key === undefined
    ? (textIfExists(`field.${name}`) ?? name)
    : t('field.contact', { name: attributes.find(({ value }) => value === key)?.label ?? key })
}

/** Describes an action's values briefly, next to its name. */
export function formatAction(action: Action, catalog: Catalog): string {
  switch (action.type) {
    case 'send_text':
    case 'add_note':
      return action.text
    case 'send_template':
      return catalog.templates.find(({ id }) => id === action.templateId)?.name ?? ''
    case 'assign_conversation':
      return [action.teamId && labelOf(catalog.teams, action.teamId), labelOf(catalog.team, action.member)]
        .filter(Boolean)
        .join(' · ')
    case 'assign_lead':
      return labelOf(catalog.team, action.member)
    case 'add_tags':
    case 'remove_tags':
      return action.tags.join(', ')
    case 'set_field':
      return `${fieldLabel(action.field, catalog)}: ${action.value ?? t('emptied')}`
    case 'set_stage':
      return labelOf(catalog.stages, action.stage)
    case 'create_lead':
      return action.stage ? labelOf(catalog.stages, action.stage) : ''
    case 'create_task':
      return [action.title, t('due', { length: formatDuration(action.dueInMinutes) })]
        .filter(Boolean)
        .join(' · ')
    case 'set_conversation':
      return [
        action.state && textIfExists(`state.${action.state}`),
        action.priority && textIfExists(`priority.${action.priority}`),
        action.isArchived === undefined ? undefined : t(action.isArchived ? 'archived' : 'unarchived'),
      ]
        .filter(Boolean)
        .join(' · ')
    case 'call_webhook':
      return action.url
    case 'wait':
      return formatDuration(action.minutes)
    case 'start_bot':
      return labelOf(catalog.bots, action.botId)
    case 'request_review':
    case 'stop_if':
      return ''
  }
}

export const formatType = (type: string): string => textIfExists(`action.${type}`) ?? type

/** Returns the placeholders for texts, with their labels. */
export const placeholdersFor = (trigger: Trigger, catalog: Catalog): { path: string; label: string }[] => [
  { path: 'contact.displayName', label: t('field.contact.displayName') },
  { path: 'contact.phone', label: t('field.contact.phone') },
  ...catalog.attributes.map(({ value, label }) => ({
    path: `contact.attributes.${value}`,
    label: t('field.contact', { name: label }),
  })),
  { path: 'lead.name', label: t('field.lead.name') },
  { path: 'lead.stage.name', label: t('field.lead.stage') },
  { path: 'lead.owner.name', label: t('field.lead.owner') },
  ...eventPaths(trigger, catalog).map(({ path, label }) => ({
    path: `event.${path}`,
    label: t('field.event', { name: label }),
  })),
]
