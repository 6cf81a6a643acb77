/**
 * What the fault suite shares. In `npm test` each fault is played a few times; `npm run faults` plays it as often as it is
 * asked, within its time, and gathers what happened into one table (bin/faults.mjs).
 */
import { appendFileSync } from 'node:fs'

/** What happened to one kind of fault. Counts are of requests, events and milliseconds. */
export type FaultFigures = {
  /** Rows of docs/reliability.md section 2, or its goals, that this stands for. */
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

/** How many rounds are to be played: `few` in `npm test`. */
export const roundsWanted = (few: number): number => (thorough ? Number(process.env.FAULT_ROUNDS) : few)

/** How many sends a fault that counts them is to have acknowledged: `few` in `npm test`. */
export const acceptedWanted = (few: number): number => (thorough ? Number(process.env.FAULT_ACCEPTED) : few)

/** Says, from now on, whether the time of one fault, or a `share` of it, is over. */
export function timeOver(share = 1): () => boolean {
  const seconds = thorough ? Number(process.env.FAULT_SECONDS) * share : Number.POSITIVE_INFINITY
  const begun = performance.now()
  return () => (performance.now() - begun) / 1_000 > seconds
}

/** Round numbers from 1: `few` in `npm test`, else as many as asked for, as long as the time of one fault lasts. */
export function* roundsOf(few: number): Generator<number> {
  const max = roundsWanted(few)
  const over = timeOver()
  for (let round = 1; round <= max; round++) {
    if (round > 1 && over()) return
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
