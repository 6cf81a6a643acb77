/**
 * Hands queued messages to the operator (src/modules/messaging/messages/handover/DECISIONS.md): those of
 * simulated numbers immediately, others in lanes. A message with a begun call and a lost outcome may have
 * gone out, so Parley never sends it again (spec 3, docs/reliability.md row 2).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { later, SECOND_MS } from '../../../../core/clock.ts'
import type { WorkSource } from '../../../../core/work.ts'
import type { HandoverOptions } from '../handover/dispatcher.ts'
import { openLanes } from '../handover/lanes.ts'
import { writeOutcomes } from '../handover/outcome-writer.ts'
import {
  alignMessages,
  countMessagesUnderWay,
  findNextMessageDue,
  listSimulatedNumbers,
  listUnsettledOfHeld,
  listWaitedInVain,
} from '../handover/queries/handovers.ts'
import { type BusyNumber, listBusyNumbers } from '../handover/queries/lanes.ts'
import { handOverSimulated } from '../handover/simulated-handover.ts'
import { MAX_WAITS_MS, numberNotRepaired } from '../handover/verdict.ts'
import { HANDOVER } from '../sending/operations/send-messages.ts'

export type HandoverSource = WorkSource & {
  /** Resolves when no call is under way in this process and all outcomes are written. */
  idle(): Promise<void>
  /** Begins nothing more and waits for calls under way. */
  stop(): Promise<void>
}

/** The survey of numbers may take a quarter of the time when many are busy. */
const SURVEY_REST = 3
const MAX_SURVEY_REST_MS = 100
const GIVE_UP_EVERY_MS = 10 * SECOND_MS
const GIVE_UP_AT_ONCE = 200
/** More than the messages that a lane sends or has fetched ahead. */
const BEGUN_WITHIN = 2_000

/**
 * Builds the source. For one workspace, `runDue` serves its simulated numbers and waits until they are
 * settled, because its clock needs that.
 */
export function handoverSource(options: HandoverOptions): HandoverSource {
  const { database, clock } = options
  const lanes = openLanes(options)
  let restUntilMs = 0
  let gaveUpAtMs = Number.NEGATIVE_INFINITY

  const survey = async (): Promise<BusyNumber[]> => {
    const restMs = restUntilMs - clock.monotonicMs()
    if (restMs > 0) await wait(restMs)
    const begunAtMs = clock.monotonicMs()
    const busy = await listBusyNumbers(database.query, { now: clock.now(), holder: lanes.holder })
    const endedAtMs = clock.monotonicMs()
    restUntilMs = endedAtMs + Math.min(MAX_SURVEY_REST_MS, (endedAtMs - begunAtMs) * SURVEY_REST)
    return busy
  }

  /**
   * Fails messages that have waited a day for a number that cannot send, or whose outcome was never reported.
   * Skips the messages of a removed number.
   */
  const giveUp = async (): Promise<void> => {
    if (clock.monotonicMs() - gaveUpAtMs < GIVE_UP_EVERY_MS) return
    const now = clock.now()
    const unsettledOptions = { now, within: BEGUN_WITHIN, limit: GIVE_UP_AT_ONCE }
    lanes.settle(
      (await listUnsettledOfHeld(database.query, unsettledOptions)).map((key) => ({
        ...key,
        outcome: { kind: 'unconfirmed' },
      })),
    )
    const before = later(now, -MAX_WAITS_MS)
    const inVain = await listWaitedInVain(database.query, { now, before, limit: GIVE_UP_AT_ONCE })
    await writeOutcomes(
      options,
      inVain.map(({ workspaceId, id, stateReason, skipReason }) => ({
        workspaceId,
        id,
        outcome: skipReason
          ? { kind: 'skipped', reason: skipReason }
          : { kind: 'failed', error: numberNotRepaired(stateReason) },
      })),
    )
    if (inVain.length < GIVE_UP_AT_ONCE) gaveUpAtMs = clock.monotonicMs()
  }

  return {
    name: HANDOVER,
    pollMs: SECOND_MS,
    async runDue({ workspaceId, moving }) {
      if (workspaceId)
        return handOverSimulated(options, await listSimulatedNumbers(database.query, workspaceId), moving)
      await lanes.recover()
      await giveUp()
      const busy = await survey()
      const cloudNumbers = busy.filter(({ operator }) => operator === 'cloud')
      await lanes.work(cloudNumbers)
      return handOverSimulated(
        options,
        busy.filter((number) => number.operator !== 'cloud'),
      )
    },
    nextDue: (query, workspaceId) => findNextMessageDue(query, workspaceId, clock.now()),
    running: (query, workspaceId, by) => countMessagesUnderWay(query, workspaceId, { now: clock.now(), by }),
    align: alignMessages,
    idle: lanes.idle,
    stop: lanes.stop,
  }
}
