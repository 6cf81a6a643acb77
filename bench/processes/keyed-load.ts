/**
 * Simulates careful clients: each sends one request at a time with its own key and, without an answer,
 * repeats it with the same key. Remembers the answer to each key, to compare it with the database, and
 * repeats some of the requests.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { digitsOf, rememberAcknowledged } from '../ground/acknowledged.ts'
import { answerParent } from '../ground/answers.ts'
import { type HttpAnswer, type HttpLine, openLine } from '../ground/http-line.ts'
import { SERIAL_DIGITS } from '../ground/requests.ts'
import type { Template } from './load.ts'

export type KeyedLoadPlan = { port: number; connections: number; templates: Template[] }

export type KeyedLoadState = {
  /** Serial numbers used: requests with all lower numbers have been sent. */
  asked: number
  acknowledged: number
  /** Requests repeated because there was no answer, or an answer that means "try again". */
  repeated: number
  /** Repeated requests that had already taken effect. */
  heardLater: number
  /** Acknowledged keys that were repeated, and answered with the same id as a replay. */
  checked: number
  /** Answers by status. */
  statuses: Record<number, number>
  /** Descriptions of violations: the first few. */
  problems: string[]
}

const SILENT_MS = 20_000
const AGAIN_MS = 100
const LOOK_MS = 5
/** A longer wait has no chance of success. */
const PATIENCE_MS = 60_000
const PROBLEMS_KEPT = 10
/** The last answers before a kill are most at risk. */
const RECENT = 512
/**
 * The service is away for a while, or the first request is still running: the same request may be repeated.
 */
const COME_AGAIN = [409, 429, 503]

const acknowledged = rememberAcknowledged()
const state = { asked: 0, repeated: 0, heardLater: 0, checked: 0 }
const statuses: Record<number, number> = {}
const problems: string[] = []
const recent: number[] = []
/** Serial numbers whose keys will be repeated. */
const toCheck: number[] = []
let open = 0
let stopping = false
let killedAtMs = Number.POSITIVE_INFINITY
let recovered: ((afterMs: number) => void) | undefined
let plan: KeyedLoadPlan

const readState = (): KeyedLoadState => ({
  ...state,
  acknowledged: acknowledged.count(),
  statuses,
  problems,
})

function recordProblem(problem: string): void {
  if (problems.length < PROBLEMS_KEPT) problems.push(problem)
}

/** Repeats a request until there is a final answer; returns whether it took more than one attempt. */
async function sendUntilAnswered(
  line: HttpLine,
  serial: number,
): Promise<{ answer: HttpAnswer; line: HttpLine; isRetry: boolean }> {
  const { templates, port } = plan
  const text = templates[serial % templates.length]!.join(String(serial).padStart(SERIAL_DIGITS, '0'))
  let openedLine = line
  for (let isRetry = false; ; isRetry = true) {
    if (isRetry) {
      state.repeated++
      await wait(AGAIN_MS)
    }
    if (openedLine.broken()) openedLine = openLine(port, SILENT_MS)
    const begunAtMs = performance.now()
    const answer = await openedLine.ask(text).catch(() => undefined)
    if (!answer) continue
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    if (COME_AGAIN.includes(answer.status)) continue
    if (begunAtMs > killedAtMs) {
      recovered?.(performance.now() - killedAtMs)
      killedAtMs = Number.POSITIVE_INFINITY
    }
    return { answer, line: openedLine, isRetry }
  }
}

/** Records the answer to a key, or compares it with the earlier answer. */
function checkAnswer(serial: number, answer: HttpAnswer, isRetry: boolean): void {
  const replayed = answer.head.includes('idempotent-replayed: true')
  if (answer.status !== 200) {
    recordProblem(`${serial} was answered ${answer.status} ${answer.body.slice(0, 300)}`)
    return
  }
  const id: string = JSON.parse(answer.body).messageId
  const before = acknowledged.idOf(serial)
  if (before !== undefined) {
    if (digitsOf(id) !== before || !replayed)
      recordProblem(`${serial} was ${before} and is now ${replayed ? 'a replay of' : 'a new'} ${id}`)
    state.checked++
    return
  }
  if (replayed && !isRetry) recordProblem(`${serial} was never asked before and is a replay of ${id}`)
  if (replayed) state.heardLater++
  acknowledged.add(serial, id)
  recent[acknowledged.count() % RECENT] = serial
}

async function client(): Promise<void> {
  let line = openLine(plan.port, SILENT_MS)
  for (;;) {
    const serial = toCheck.pop() ?? (stopping ? undefined : state.asked++)
    if (serial === undefined) {
      await wait(LOOK_MS)
      continue
    }
    open++
    const outcome = await sendUntilAnswered(line, serial)
    line = outcome.line
    checkAnswer(serial, outcome.answer, outcome.isRetry)
    open--
  }
}

/** Waits until no request is open, up to the time limit. */
async function waitWhile(busy: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (busy()) {
    if (performance.now() > deadline)
      throw new Error(`${open} requests are not answered: ${JSON.stringify(readState())}`)
    await wait(LOOK_MS)
  }
}

answerParent({
  start: (input: KeyedLoadPlan) => {
    plan = input
    for (let i = 0; i < plan.connections; i++) void client()
  },
  state: readState,
  /**
   * Call this right after a kill: returns after how many milliseconds a request started since then was
   * answered.
   */
  killed: async () => {
    let afterMs: number | undefined
    recovered = (ms) => {
      afterMs = ms
    }
    killedAtMs = performance.now()
    await waitWhile(() => afterMs === undefined)
    return afterMs
  },
  /** Repeats keys: the last acknowledged ones, and for each of `shares` (from 0 up to 1) one of all. */
  check: async (shares: number[]) => {
    const serials = shares.map((share) => Math.floor(share * state.asked))
    const before = recent.filter((serial) => serial !== undefined)
    toCheck.push(...before, ...serials.filter((serial) => acknowledged.idOf(serial) !== undefined))
    await waitWhile(() => toCheck.length > 0)
  },
  /** Sends no new requests, and waits until all sent ones are answered. */
  settle: async () => {
    stopping = true
    await waitWhile(() => open + toCheck.length > 0)
    return readState()
  },
  page: ({ from, count }: { from: number; count: number }) => acknowledged.page(from, count),
  stop: () => {},
})
