/**
 * Shared parts of the fault suite. `npm test` plays each fault a few times. `npm run faults` plays it for the
 * requested rounds or until its time is over, and collects the results in one table (bin/faults.mjs).
 */
import { appendFileSync } from 'node:fs'

/** The results of one kind of fault. Counts are of requests, events, and milliseconds. */
export type FaultFigures = {
  /** The rows of docs/reliability.md section 2, or its goals, that this fault covers. */
  rows: string
  fault: string
  rounds: number
  kills?: number
  accepted?: number
  /** Acknowledged requests without an effect in the database. */
  lost?: number
  /** Keys that were carried out more than once. */
  doubled?: number
  eventsMissing?: number
  /** Time from the fault until work continued, for each round. */
  recoveriesMs?: number[]
  note?: string
}

/** True if this run is `npm run faults`. */
export const thorough = process.env.FAULT_ROUNDS !== undefined

/** Returns the number of rounds to play: `few` in `npm test`. */
export const roundsWanted = (few: number): number => (thorough ? Number(process.env.FAULT_ROUNDS) : few)

/** Returns the number of acknowledged sends that a fault needs: `few` in `npm test`. */
export const acceptedWanted = (few: number): number => (thorough ? Number(process.env.FAULT_ACCEPTED) : few)

/**
 * Returns a function that reports whether the time of one fault, or a `share` of it, is over. The time starts
 * now.
 */
export function timeOver(share = 1): () => boolean {
  const seconds = thorough ? Number(process.env.FAULT_SECONDS) * share : Number.POSITIVE_INFINITY
  const startedMs = performance.now()
  return () => (performance.now() - startedMs) / 1_000 > seconds
}

/**
 * Yields round numbers from 1: `few` in `npm test`, else the requested number, until the time of one fault is
 * over.
 */
export function* roundsOf(few: number): Generator<number> {
  const max = roundsWanted(few)
  const isOver = timeOver()
  for (let round = 1; round <= max; round++) {
    if (round > 1 && isOver()) return
    yield round
  }
}

/** The timeout of a test of the fault suite. */
export const timeFor = (ms: number): number =>
  thorough ? ms + Number(process.env.FAULT_SECONDS) * 1_000 * 3 : ms

/** Adds figures to the table. */
export function recordFigures(figures: FaultFigures): void {
  console.log(JSON.stringify(figures))
  if (process.env.FAULT_FIGURES) appendFileSync(process.env.FAULT_FIGURES, `${JSON.stringify(figures)}\n`)
}
