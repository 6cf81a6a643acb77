/** The lines of a history, as people read them. */
import type { MessageTrace, TraceStep } from '../../../sdk/api.ts'
import { formatDuration } from '../../kit/duration.ts'
import { formatFull } from '../../kit/time.tsx'
import { t } from '../texts.ts'

const MINUTE_MS = 60_000
/** The operator's own time is shown if its report arrived this long after it. */
const LATE_MS = 2_000

/** Formats a length of time: in seconds if it is short. */
const formatLength = (ms: number): string =>
  ms < 2 * MINUTE_MS
    ? t('seconds', { count: Math.round(ms / 1_000) })
    : formatDuration(Math.round(ms / MINUTE_MS))

export type Tone = 'plain' | 'good' | 'warn' | 'bad'
/** One line of a history; `details` follow in smaller print. `at` is null if the time is unknown. */
export type Line = { at: string | null; text: string; details: string[]; tone: Tone }
/** The thing that a message waits for now. */
export type Waiting = { text: string; details: string[] }

const isKnown = <Key extends string>(keys: readonly Key[], key: string | null): key is Key =>
  keys.some((candidate) => candidate === key)

const WAITS = [
  'order',
  'recipient_pace',
  'pace',
  'campaign',
  'worker',
  'backing_off',
  'restricted',
  'message',
  'pair',
  'throttle',
  'quality',
  'unreachable',
  'disconnected',
  'campaign_paused',
] as const
const REPORTS = ['sent', 'delivered', 'read', 'failed'] as const
const GONE = ['log', 'unrecorded', 'too_many'] as const

const errorLine = ({ errorCode, error }: { errorCode: number | null; error: string | null }): string[] => {
  if (errorCode === null) return error === null ? [] : [error]
  return [t('error', { code: errorCode, text: error ?? '' })]
}

function callLine({ attempt, result, httpStatus, durationMs, ...fault }: NonNullable<TraceStep['call']>) {
  const isGood = result === 'accepted'
  return {
    text: t(`call.${result}`, { ms: durationMs ?? 0 }),
    details: [
      httpStatus === null ? t('call.number', { attempt }) : t('call.code', { attempt, status: httpStatus }),
      ...errorLine(fault),
    ],
    tone: isGood ? ('good' as const) : result === 'refused' ? ('bad' as const) : ('warn' as const),
  }
}

function reportLine({ status, reportedFor, ...fault }: NonNullable<TraceStep['report']>, at: string) {
  const isLate = Math.abs(Date.parse(at) - Date.parse(reportedFor)) > LATE_MS
  return {
    text: isKnown(REPORTS, status) ? t(`report.${status}`) : status,
    details: [...(isLate ? [t('report.for', { time: formatFull(reportedFor) })] : []), ...errorLine(fault)],
    tone: status === 'failed' ? ('bad' as const) : ('good' as const),
  }
}

function deliveryLine(delivery: NonNullable<TraceStep['delivery']>) {
  const { status, event, attempt, httpStatus, error, nextAt } = delivery
  return {
    text: t(`delivery.${status}`, { event, attempt }),
    details: [
      ...(httpStatus === null ? [] : [t('delivery.status', { status: httpStatus })]),
      ...(error === null ? [] : [error]),
      ...(nextAt === null ? [] : [t('delivery.next', { time: formatFull(nextAt) })]),
    ],
    tone:
      status === 'succeeded'
        ? ('good' as const)
        : status === 'failed'
          ? ('bad' as const)
          : ('plain' as const),
  }
}

/** Returns the name of a source; undefined if it has none. */
export type NameOf = (source: NonNullable<TraceStep['source']>) => string | undefined

type Content = Omit<Line, 'at'>
const plain = (text: string, details: string[] = [], tone: Tone = 'plain'): Content => ({
  text,
  details,
  tone,
})

function contentOf(step: TraceStep, nameOf: NameOf): Content {
  const { kind, at, until, reason, source, call, report, delivery, text } = step
  if (call) return callLine(call)
  if (report) return reportLine(report, at)
  if (delivery) return deliveryLine(delivery)
  const name = source ? nameOf(source) : undefined
  switch (kind) {
    case 'accepted':
      return plain(name ? t('accepted.by', { name }) : t('accepted'))
    case 'received':
      return plain(t('received'))
    case 'waited':
      return plain(
        t('waited', { length: formatLength(Date.parse(until ?? at) - Date.parse(at)) }),
        isKnown(WAITS, reason) ? [t(`wait.${reason}`)] : [],
        'warn',
      )
    case 'answered':
      return plain(name ? t('answered', { name }) : text)
    case 'automation':
      return plain(t('automation'))
    case 'gone':
      return plain(isKnown(GONE, reason) ? t(`gone.${reason}`) : text)
    case 'skipped':
      return plain(t('skipped'), [text], 'warn')
    case 'call':
    case 'report':
    case 'delivery':
    case 'failed':
      return plain(t('failed'), [text], 'bad')
  }
}

/** Returns the history of a message as lines. */
export const linesOf = ({ steps }: MessageTrace, nameOf: NameOf): Line[] =>
  steps.map((step) => ({ at: step.at, ...contentOf(step, nameOf) }))

/** Returns the thing that the message waits for now. */
export function waitingOf({ now }: MessageTrace): Waiting | undefined {
  if (!now) return undefined
  const time = formatFull(now.since)
  return {
    text: t(`now.${now.kind}`),
    details: [now.until ? t('now.until', { time, until: formatFull(now.until) }) : t('now.since', { time })],
  }
}

/** Returns the history as text to copy. */
export const textOf = (lines: readonly Line[], waiting: Waiting | undefined): string =>
  [
    ...lines.map(({ at, text, details }) =>
      [`${at ? `${formatFull(at)}  ` : ''}${text}`, ...details].join('\n    '),
    ),
    ...(waiting ? [[`${t('now')}: ${waiting.text}`, ...waiting.details].join('\n    ')] : []),
  ].join('\n')
