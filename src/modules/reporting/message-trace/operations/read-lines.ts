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

type StoredLine = { line: TraceLine; offsetMs: number }

/** Parses the stored text. `isCut`: lines between the first and the last ones were not kept. */
export function parseTrace(trace: string | null): { lines: StoredLine[]; isCut: boolean } {
  const lines: StoredLine[] = []
  let isCut = trace !== null && trace.lastIndexOf('\n') >= TRACE_MAX
  for (const text of trace?.split('\n').slice(1) ?? []) {
    const space = text.indexOf(' ')
    try {
      lines.push({ offsetMs: Number(text.slice(0, space)), line: JSON.parse(text.slice(space + 1)) })
    } catch {
      isCut = true
    }
  }
  return { lines, isCut }
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
  return stored.flatMap(({ line, offsetMs }): TraceStep[] => {
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
}
