/** Reads the stored lines of a message's trace as steps. */
import {
  type AgainReason,
  type LateReason,
  TRACE_MAX,
  type TraceLine,
} from '../../../messaging/messages/trace-schema.ts'
import type { TraceStep } from '../schema.ts'
import { AGAIN, durationText, LATE, SKIPPED } from './trace-text.ts'

/** A step without other data. */
export const stepOf = (
  step: Pick<TraceStep, 'kind' | 'text'> & { atMs: number } & Partial<TraceStep>,
): TraceStep => {
  const { atMs, ...values } = step
  return {
    at: new Date(atMs).toISOString(),
    until: null,
    reason: null,
    source: null,
    call: null,
    report: null,
    delivery: null,
    messageId: null,
    run: null,
    ...values,
  }
}

/** A stored line, or the place of lines that were not kept. */
type StoredLine = { line: TraceLine | { gap: true }; offsetMs: number }

/** Parses the stored text. A line that was cut is the place of lines that were not kept. */
export function parseTrace(trace: string): StoredLine[] {
  const lines: StoredLine[] = []
  const addGap = () => {
    const last = lines.at(-1)
    if (!last || !('gap' in last.line)) lines.push({ line: { gap: true }, offsetMs: 0 })
  }
  let start = 0
  for (const text of trace.split('\n')) {
    const space = text.indexOf(' ')
    // The line break is before its line.
    if (start - 1 === TRACE_MAX) addGap()
    try {
      if (text !== '')
        lines.push({ offsetMs: Number(text.slice(0, space)), line: JSON.parse(text.slice(space + 1)) })
    } catch {
      addGap()
    }
    start += text.length + 1
  }
  return lines
}

const waitStep = (atMs: number, untilMs: number, reason: string, text: string): TraceStep =>
  stepOf({ atMs, kind: 'waited', until: new Date(untilMs).toISOString(), reason, text })

const lateStep = (fromMs: number, toMs: number, reason: LateReason): TraceStep =>
  waitStep(fromMs, toMs, reason, `The message waited ${durationText(toMs - fromMs)}. ${LATE[reason]}`)

const CALL_TEXTS = {
  accepted: 'The operator accepted the message',
  refused: 'The operator refused the message',
  not_sent: 'The operator was not reached, so the message was not sent',
  unknown: 'The call had no clear answer, so the message may have been sent',
}

type CallLine = Extract<TraceLine, { call: number }>

const callText = ({ result, ms, error, reason }: CallLine): string =>
  `${CALL_TEXTS[result]} (${durationText(ms)}).${error ? ` Error ${error.code}: ${error.message}` : reason ? ` ${reason}` : ''}`

function callSteps({ line, offsetMs }: StoredLine & { line: CallLine }, attempt: number): TraceStep[] {
  const { call, after, ms, result, http, error, reason, next, hold, waits = [] } = line
  const atMs = call + after + offsetMs
  const steps = waits.map((wait) => lateStep(wait.from + offsetMs, wait.to + offsetMs, wait.for))
  steps.push(
    stepOf({
      atMs,
      kind: 'call',
      text: callText(line),
      call: {
        attempt,
        result,
        httpStatus: http ?? null,
        errorCode: error?.code ?? null,
        error: error?.message ?? reason ?? null,
        durationMs: ms,
      },
    }),
  )
  if (next !== undefined && hold !== undefined)
    steps.push(
      waitStep(
        atMs + ms,
        Math.max(next + offsetMs, atMs + ms),
        hold satisfies AgainReason,
        `Parley tries again later. ${AGAIN[hold]}`,
      ),
    )
  return steps
}

const STATES: Record<string, string> = {
  sent: 'The operator reported the message as sent.',
  delivered: 'The operator reported that the message arrived on the phone.',
  read: 'The operator reported that the customer read the message.',
  failed: 'The operator reported that the message failed.',
}

const faultText = (error: { code: number; message: string } | undefined): string =>
  error ? ` Error ${error.code}: ${error.message}` : ''

/** Two lines are about the same call if its leases are this close: a lease is moved to be unique. */
const SAME_CALL_MS = 1_000

/** Returns the lines as steps. `leaseMs`: the length of the leases of the number. */
export function stepsOfLines(stored: StoredLine[], leaseMs: number): TraceStep[] {
  const recordedCalls = stored.flatMap(({ line }) => ('call' in line ? [line.call] : []))
  const seen = new Set<number>()
  let attempt = 0
  let lastMs = 0
  const steps = stored.flatMap(({ line, offsetMs }): TraceStep[] => {
    if ('gap' in line)
      return [
        stepOf({
          atMs: lastMs,
          kind: 'gone',
          reason: 'too_many',
          text: 'Some steps were too many to keep. The last one follows.',
        }),
      ]
    lastMs = timeOf(line) + offsetMs
    if ('call' in line) {
      if (seen.has(line.call)) return []
      seen.add(line.call)
      attempt++
      return callSteps({ line, offsetMs }, attempt)
    }
    if ('open' in line) {
      const callMs = line.open - leaseMs
      if (recordedCalls.some((time) => Math.abs(time - callMs) < SAME_CALL_MS)) return []
      attempt++
      return [
        stepOf({
          atMs: callMs + offsetMs,
          kind: 'call',
          text: 'Parley called the operator. The answer was not recorded: the process ended, or the report arrived first.',
          call: {
            attempt,
            result: 'unrecorded',
            httpStatus: null,
            errorCode: null,
            error: null,
            durationMs: null,
          },
        }),
      ]
    }
    if ('put' in line) return [lateStep(line.at + offsetMs, line.until + offsetMs, line.put)]
    if ('report' in line)
      return [
        stepOf({
          atMs: line.at + offsetMs,
          kind: 'report',
          text: `${STATES[line.report] ?? `The operator reported the state ${line.report}.`}${faultText(line.error)}`,
          report: {
            status: line.report,
            reportedFor: new Date(line.own + offsetMs).toISOString(),
            errorCode: line.error?.code ?? null,
            error: line.error?.message ?? null,
          },
        }),
      ]
    if ('ended' in line)
      return [
        stepOf({
          atMs: line.at + offsetMs,
          kind: 'failed',
          text: `The message failed.${faultText(line.error)}`,
        }),
      ]
    return [
      stepOf({
        atMs: line.at + offsetMs,
        kind: 'skipped',
        reason: line.skipped,
        text: `Parley didn't send the message. ${SKIPPED[line.skipped] ?? ''}`.trim(),
      }),
    ]
  })
  return mergeWaits(steps)
}

/** Returns the time of a line. */
function timeOf(line: TraceLine): number {
  if ('call' in line) return line.call
  return 'open' in line ? line.open : line.at
}

/** Joins waits that follow each other for the same reason. */
function mergeWaits(steps: TraceStep[]): TraceStep[] {
  const merged: TraceStep[] = []
  for (const step of steps) {
    const last = merged.at(-1)
    const isSame =
      last?.kind === 'waited' && last.reason === step.reason && step.reason !== null && step.reason in LATE
    const continues = isSame && Date.parse(step.at) <= Date.parse(last.until ?? '') + 1_000
    if (!continues) merged.push(step)
    else if (Date.parse(step.until ?? '') > Date.parse(last.until ?? ''))
      merged[merged.length - 1] = lateStep(
        Date.parse(last.at),
        Date.parse(step.until ?? ''),
        step.reason as LateReason,
      )
  }
  return merged
}
