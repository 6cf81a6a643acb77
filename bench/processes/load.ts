/**
 * The load generator: HTTP/1.1 over raw sockets, kept alive, one request at a time on each connection. It is
 * a separate process so that its cost is not charged to the server's event loop.
 */
import { connect, type Socket } from 'node:net'
import { answerParent } from '../ground/answers.ts'
import { headOf } from '../ground/http-line.ts'
import { SERIAL_DIGITS } from '../ground/requests.ts'
import { durations, type Latency } from '../ground/statistics.ts'

/** A complete request, except for a serial number of `SERIAL_DIGITS` digits between its parts. */
export type Template = string[]

export type LoadPlan = {
  port: number
  connections: number
  seconds: number
  templates: Template[]
  /** The serial number of the first request; they count up from there. */
  serialStart: number
  /**
   * Sends at this pace independent of the answers (latency then counts from the due time of a request).
   * Default: as fast as answers arrive.
   */
  perSecond?: number
  /** Stops after this many requests. */
  max?: number
}

export type LoadResult = {
  issued: number
  /** Answers by status. */
  statuses: Record<number, number>
  /** Requests whose connection broke: their outcome is unknown. */
  lost: number
  /** From the first request to the last answer. */
  seconds: number
  latency: Latency
  /** The first answer that was not a success, for the report. */
  oddAnswer: string | undefined
}

type Line = { socket: Socket; dueAtMs: number; busy: boolean; partial: Buffer | undefined }

function run(plan: LoadPlan): Promise<LoadResult> {
  const { templates } = plan
  const statuses: Record<number, number> = {}
  const latency = durations()
  const idle: Line[] = []
  const overdue: number[] = []
  let issued = 0
  let ended = 0
  let lost = 0
  let oddAnswer: string | undefined
  let endedAtMs = 0
  const startedMs = performance.now()
  const max = plan.max ?? Number.POSITIVE_INFINITY
  const untilMs = startedMs + plan.seconds * 1000
  const isOver = () => issued >= max || performance.now() >= untilMs

  return new Promise((resolve, reject) => {
    const lines = new Set<Line>()
    let pace: NodeJS.Timeout | undefined
    const finish = () => {
      clearInterval(pace)
      for (const line of lines) line.socket.destroy()
      resolve({
        issued,
        statuses,
        lost,
        seconds: (endedAtMs - startedMs) / 1000,
        latency: latency.read(),
        oddAnswer,
      })
    }
    const finishIfOver = () => {
      if (ended === issued && overdue.length === 0 && isOver()) finish()
    }
    const send = (line: Line, dueAtMs: number) => {
      const template = templates[issued % templates.length]!
      const serial = String(plan.serialStart + issued).padStart(SERIAL_DIGITS, '0')
      issued++
      line.busy = true
      line.dueAtMs = dueAtMs
      line.socket.write(template.join(serial), 'latin1')
    }
    const next = (line: Line) => {
      // Requests that could not be sent in time are dropped: otherwise a slow server would make the run
      // endless.
      if (isOver()) overdue.length = 0
      if (plan.perSecond !== undefined) {
        const due = overdue.shift()
        if (due === undefined) idle.push(line)
        else send(line, due)
      } else if (!isOver()) send(line, performance.now())
      finishIfOver()
    }
    const take = (line: Line, chunk: Buffer) => {
      const data = line.partial ? Buffer.concat([line.partial, chunk]) : chunk
      const head = headOf(data)
      if (!head || data.length < head.size) {
        line.partial = data
        return
      }
      line.partial = undefined
      line.busy = false
      ended++
      endedAtMs = performance.now()
      latency.add(endedAtMs - line.dueAtMs)
      statuses[head.status] = (statuses[head.status] ?? 0) + 1
      if (head.status >= 300)
        oddAnswer ??= `${head.status} ${data.toString('utf8', head.bodyAt, head.bodyAt + 300)}`
      next(line)
    }
    const open = () => {
      const socket = connect({ port: plan.port, host: '127.0.0.1', noDelay: true })
      const line: Line = { socket, dueAtMs: 0, busy: false, partial: undefined }
      lines.add(line)
      socket.on('data', (chunk: Buffer) => take(line, chunk))
      socket.on('error', () => {})
      socket.on('close', () => {
        if (!lines.delete(line)) return
        if (line.busy) {
          lost++
          ended++
        }
        if (lost > 1000) reject(new Error('the server keeps closing connections'))
        else if (!isOver()) open()
        else finishIfOver()
      })
      socket.on('connect', () => next(line))
    }
    for (let i = 0; i < plan.connections; i++) open()
    if (plan.perSecond !== undefined) {
      let due = 0
      pace = setInterval(() => {
        const nowMs = performance.now()
        const total = (Math.min(nowMs, untilMs) - startedMs) * (plan.perSecond! / 1000)
        for (; due < total && issued + overdue.length < max; due++) {
          const line = idle.pop()
          if (line) send(line, nowMs)
          else overdue.push(nowMs)
        }
        finishIfOver()
      }, 1)
    }
  })
}

answerParent({ run })
