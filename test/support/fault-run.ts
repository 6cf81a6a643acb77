/**
 * What the fault suite shares. In `npm test` each fault is played a few times; `npm run faults` plays it as often as it is
 * told, within its time, and gathers what happened into one table (bin/faults.mjs).
 */
import { appendFileSync } from 'node:fs'

/** What happened to one kind of fault. Counts are of requests, events and milliseconds. */
export type FaultFigures = {
  /** Rows of RELIABILITY section 2, or its goals, that this stands for. */
  rows: string
  what: string
  rounds: number
  kills?: number
  accepted?: number
  /** Acknowledged and not there. */
  lost?: number
  /** One key carried out more than once. */
  doubled?: number
  eventsMissing?: number
  /** From the fault until work went on, of each round. */
  recoveriesMs?: number[]
  note?: string
}

/** Whether this is `npm run faults`. */
export const thorough = process.env.FAULT_ROUNDS !== undefined

/** Round numbers from 1: `few` in `npm test`, else as many as asked for, as long as the time of one fault lasts. */
export function* roundsOf(few: number): Generator<number> {
  const most = thorough ? Number(process.env.FAULT_ROUNDS) : few
  const seconds = thorough ? Number(process.env.FAULT_SECONDS) : Number.POSITIVE_INFINITY
  const begun = performance.now()
  for (let round = 1; round <= most; round++) {
    if (round > 1 && (performance.now() - begun) / 1_000 > seconds) return
    yield round
  }
}

/** How long a test of the fault suite may take. */
export const timeFor = (ms: number): number =>
  thorough ? ms + Number(process.env.FAULT_SECONDS) * 1_000 * 3 : ms

/** Puts figures into the table. */
export function recordFigures(figures: FaultFigures): void {
  console.log(JSON.stringify(figures))
  if (process.env.FAULT_FIGURES) appendFileSync(process.env.FAULT_FIGURES, `${JSON.stringify(figures)}\n`)
}
