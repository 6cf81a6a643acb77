/**
 * Decides when calls begin: soon after the dispatcher asks, in a few parallel statements, and after a pause
 * when a statement failed.
 */
import { idleGate } from '../../../../dispatch/idle-gate.ts'
import type { Dispatcher } from './dispatcher.ts'
import { beginCalls } from './lane-calls.ts'

export type CallPump = {
  /** Requests that all calls that may begin do so. */
  pump(): void
  /** Resolves when no call is under way and none is about to begin. */
  idle(): Promise<void>
}

/**
 * Statements that begin calls in parallel. Under load, calls that end within a few milliseconds are replaced
 * by one statement.
 */
const MAX_BEGINNING = 2
const GATHER_MS = 4
const BUSY = 32
const FAULT_PAUSE_MS = 500

export function callPump(dispatcher: Dispatcher): CallPump {
  let pumpDue = false
  let beginning = 0
  let quietUntilMs = 0
  const gate = idleGate(() => dispatcher.calls.size === 0 && beginning === 0)

  const beginSome = async (): Promise<void> => {
    pumpDue = false
    if (dispatcher.stopping || beginning >= MAX_BEGINNING || dispatcher.clock.monotonicMs() < quietUntilMs)
      return
    beginning++
    try {
      await beginCalls(dispatcher)
    } catch (error) {
      quietUntilMs = dispatcher.clock.monotonicMs() + FAULT_PAUSE_MS
      dispatcher.onError(error)
    } finally {
      beginning--
      gate.settle()
    }
  }

  return {
    idle: gate.wait,
    pump: () => {
      if (dispatcher.calls.size === 0) gate.settle()
      if (pumpDue || dispatcher.stopping) return
      pumpDue = true
      if (dispatcher.calls.size > BUSY) setTimeout(beginSome, GATHER_MS)
      else setImmediate(beginSome)
    },
  }
}
