/**
 * Clients who want to know: each asks one thing at a time under a key of its own and, when no answer comes, asks again
 * under the same key until there is one. What each key was answered with is remembered, so that it can be held against
 * the database, and some of it is asked again.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { digitsOf, rememberAcknowledged } from '../ground/acknowledged.ts'
import { answerParent } from '../ground/answers.ts'
import { type HttpAnswer, type HttpLine, openLine } from '../ground/http-line.ts'
import { SERIAL_DIGITS } from '../ground/requests.ts'
import type { Template } from './load.ts'

export type KeyedLoadPlan = { port: number; connections: number; templates: Template[] }

export type KeyedLoadState = {
  /** Serial numbers given out: all below have been asked. */
  asked: number
  acknowledged: number
  /** Requests sent once more because there was no answer, or one that said to come again. */
  repeated: number
  /** Of these, those that had happened although nobody heard of it. */
  heardLater: number
  /** Acknowledged keys that were asked again, and answered with the same id as a replay. */
  checked: number
  /** Answers by status. */
  statuses: Record<number, number>
  /** What must not be, in words: the first few. */
  wrongs: string[]
}

const SILENT_MS = 20_000
const AGAIN_MS = 100
const LOOK_MS = 5
/** Whoever waits for longer waits in vain. */
const PATIENCE_MS = 60_000
const WRONGS_KEPT = 10
/** The last answers before a kill are those most at risk. */
const RECENT = 512
/** The service is away for a while, or the first request is still running: the same request may come again. */
const COME_AGAIN = [409, 429, 503]

const known = rememberAcknowledged()
const state = { asked: 0, repeated: 0, heardLater: 0, checked: 0 }
const statuses: Record<number, number> = {}
const wrongs: string[] = []
const recent: number[] = []
/** Serial numbers whose keys are to be asked again. */
const toCheck: number[] = []
let open = 0
let stopping = false
let killedAtMs = Number.POSITIVE_INFINITY
let recovered: ((afterMs: number) => void) | undefined
let plan: KeyedLoadPlan

const look = (): KeyedLoadState => ({ ...state, acknowledged: known.count(), statuses, wrongs })

function wrong(what: string): void {
  if (wrongs.length < WRONGS_KEPT) wrongs.push(what)
}

/** Asks until there is an answer that says more than to come again; whether it took more than one attempt. */
async function insist(
  line: HttpLine,
  serial: number,
): Promise<{ answer: HttpAnswer; line: HttpLine; again: boolean }> {
  const { templates, port } = plan
  const text = templates[serial % templates.length]!.join(String(serial).padStart(SERIAL_DIGITS, '0'))
  let on = line
  for (let again = false; ; again = true) {
    if (again) {
      state.repeated++
      await wait(AGAIN_MS)
    }
    if (on.broken()) on = openLine(port, SILENT_MS)
    const begunAtMs = performance.now()
    const answer = await on.ask(text).catch(() => undefined)
    if (!answer) continue
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1
    if (COME_AGAIN.includes(answer.status)) continue
    if (begunAtMs > killedAtMs) {
      recovered?.(performance.now() - killedAtMs)
      killedAtMs = Number.POSITIVE_INFINITY
    }
    return { answer, line: on, again }
  }
}

/** Enters what a key was answered with, or compares it with what it was answered with before. */
function settle(serial: number, answer: HttpAnswer, again: boolean): void {
  const replayed = answer.head.includes('idempotent-replayed: true')
  if (answer.status !== 200) {
    wrong(`${serial} was answered ${answer.status} ${answer.body.slice(0, 300)}`)
    return
  }
  const id: string = JSON.parse(answer.body).messageId
  const before = known.idOf(serial)
  if (before !== undefined) {
    if (digitsOf(id) !== before || !replayed)
      wrong(`${serial} was ${before} and is now ${replayed ? 'a replay of' : 'a new'} ${id}`)
    state.checked++
    return
  }
  if (replayed && !again) wrong(`${serial} was never asked before and is a replay of ${id}`)
  if (replayed) state.heardLater++
  known.add(serial, id)
  recent[known.count() % RECENT] = serial
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
    const asked = await insist(line, serial)
    line = asked.line
    settle(serial, asked.answer, asked.again)
    open--
  }
}

/** Waits until nothing of what was asked is open, as long as there is hope. */
async function quiet(busy: () => boolean): Promise<void> {
  const deadline = performance.now() + PATIENCE_MS
  while (busy()) {
    if (performance.now() > deadline)
      throw new Error(`${open} requests are not answered: ${JSON.stringify(look())}`)
    await wait(LOOK_MS)
  }
}

answerParent({
  start: (given: KeyedLoadPlan) => {
    plan = given
    for (let i = 0; i < plan.connections; i++) void client()
  },
  look,
  /** Something was killed just now: answers after how many milliseconds a request begun since then was answered. */
  killed: async () => {
    let afterMs: number | undefined
    recovered = (ms) => {
      afterMs = ms
    }
    killedAtMs = performance.now()
    await quiet(() => afterMs === undefined)
    return afterMs
  },
  /** Has keys asked again: the last that were acknowledged, and for each of `shares` (from 0 up to 1) one of all. */
  check: async (shares: number[]) => {
    const some = shares.map((share) => Math.floor(share * state.asked))
    const before = recent.filter((serial) => serial !== undefined)
    toCheck.push(...before, ...some.filter((serial) => known.idOf(serial) !== undefined))
    await quiet(() => toCheck.length > 0)
  },
  /** Asks nothing new, and waits until everything that was asked is answered. */
  settle: async () => {
    stopping = true
    await quiet(() => open + toCheck.length > 0)
    return look()
  },
  page: ({ from, count }: { from: number; count: number }) => known.page(from, count),
  stop: () => {},
})
