/** Describes entries of a lead's timeline. */
import type { TimelineEntry } from '../../../sdk/api.ts'
import { formatMoney } from '../../kit/money.ts'
import { workspaceNow } from '../../kit/time.tsx'
import { formatDueIn } from '../../kit/zone-times.tsx'
import { t } from '../texts.ts'

const TITLES = {
  captured: 'story.captured',
  recaptured: 'story.recaptured',
  note: 'story.note',
  stage_changed: 'story.stage',
  lost_reason_changed: 'story.lostReason',
  owner_changed: 'story.owner',
  tags_changed: 'story.tags',
  name_changed: 'story.name',
  email_changed: 'story.email',
  source_changed: 'story.source',
  rating_changed: 'story.rating',
  deal_value_changed: 'story.dealValue',
  attributes_changed: 'story.attributes',
  follow_up_changed: 'story.followUp',
  task_created: 'story.task.created',
  task_changed: 'story.task.changed',
  task_completed: 'story.task.completed',
  task_cancelled: 'story.task.cancelled',
  task_reopened: 'story.task.reopened',
  message_received: 'story.message.received',
  message_sent: 'story.message.sent',
  payment_received: 'story.payment.received',
  payment_refunded: 'story.payment.refunded',
} as const

type Data = Record<string, unknown>
const textIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value ? value : undefined
const textWithin = (value: unknown, key: string): string | undefined =>
  typeof value === 'object' && value !== null ? textIn((value as Data)[key]) : undefined

const NO_VALUE = '—'

/** Returns a value in readable form; a dash if it is empty. */
function formatValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return NO_VALUE
  if (Array.isArray(value)) return value.map(formatValue).join(', ') || NO_VALUE
  if (typeof value === 'object')
    return textWithin(value, 'name') ?? textWithin(value, 'label') ?? JSON.stringify(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** Returns both values of a change; only the new value if there was none before. */
function arrow({ from, to }: Data, format = formatValue): string {
  const before = format(from)
  return before === NO_VALUE ? format(to) : t('story.fromTo', { from: before, to: format(to) })
}
/** A lead without a rating or a deal value has 0. */
const formatNumber =
  (format: (value: number) => string) =>
  (value: unknown): string =>
    typeof value === 'number' && value > 0 ? format(value) : NO_VALUE
const formatDeal = formatNumber(formatMoney)
const formatRating = formatNumber((rating) => t('rating', { rating }))
const lines = (...texts: (string | undefined)[]): string | undefined =>
  texts.filter(Boolean).join('\n') || undefined

/** Returns the other answers of a form, one line each. */
const formatAnswers = (answers: unknown): string[] =>
  typeof answers === 'object' && answers !== null
    ? Object.entries(answers).map(
        ([label, value]) => `${label}${/[?:]$/.test(label) ? '' : ':'} ${formatValue(value)}`,
      )
    : []

function textOf({ kind, data }: TimelineEntry, zone: string): string | undefined {
  if (kind === 'note') return textIn(data.body)
  if (kind === 'lost_reason_changed') return textWithin(data.lostReason, 'label')
  if (kind === 'stage_changed') return lines(arrow(data), textWithin(data.lostReason, 'label'))
  if (kind === 'follow_up_changed') {
    const to = textIn(data.to)
    return to && formatDueIn(zone, to, workspaceNow())
  }
  if (kind.startsWith('task_')) return lines(textIn(data.title), textIn(data.outcome))
  if (kind.startsWith('message_'))
    return textWithin(data.content, 'text') ?? textWithin(data.content, 'body') ?? textIn(data.type)
  if (kind === 'deal_value_changed') return arrow(data, formatDeal)
  if (kind === 'rating_changed') return arrow(data, formatRating)
  if ('from' in data && 'to' in data) return arrow(data)
  if (kind.endsWith('captured')) return lines(textIn(data.source), ...formatAnswers(data.answers))
  // For documents and their payments, the number of the document.
  return textIn(data.source) ?? textIn(data.number)
}

/** An entry kind without its own text uses the API's name: `voucher_issued` becomes "Voucher issued". */
function formatKind(kind: string): string {
  const text = kind.replaceAll('_', ' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

/** Describes an entry. Due times are in the workspace's time zone. */
export function formatEntry(entry: TimelineEntry, zone: string): { title: string; text: string | undefined } {
  const key = TITLES[entry.kind as keyof typeof TITLES]
  return { title: key ? t(key) : formatKind(entry.kind), text: textOf(entry, zone) }
}
