/** The work source for the fan-out of campaigns, in short steps, with turns between campaigns. */
import { setTimeout as wait } from 'node:timers/promises'
import { type Clock, later, SECOND_MS } from '../../../../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../../../../core/context.ts'
import { dueAt, type MovingClock } from '../../../../core/due.ts'
import type { WorkSource } from '../../../../core/work.ts'
import { BROADCASTS } from '../operations/create-broadcast.ts'
import {
  alignBroadcasts,
  claimDueBroadcastRow,
  type DueBroadcast,
  findNextDueBroadcast,
  listDueBroadcasts,
  putBroadcastOff,
} from '../queries/broadcasts.ts'
import { stepBroadcast } from './fan-out.ts'
import { stepSizes } from './step-size.ts'
import { waitForDisk } from './wait-for-disk.ts'
import { walkStretch } from './walk.ts'

export type FanOutOptions = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  onError(error: unknown): void
  /** Returns whether this process currently serves many requests. If absent, the process serves none. */
  areAnswersFrequent?(): boolean
  /** Returns whether replies are currently slow, so that requests need the machine more. */
  areAnswersSlow?(): boolean
}

/** The number of campaigns that take turns. Others wait until one of these has nothing left to do. */
const TURNS = 16
/** Concurrent steps of a campaign: PostgreSQL writes one while the process prepares the next. */
const ABREAST = 2
/** The time for the turns of all campaigns together. Within a turn, walkers do not wait for each other. */
const TURNS_MS = 300
const AFTER_FAULT_MS = 5 * SECOND_MS
/**
 * The most people in a step while requests are served, one stretch at a time, so that a reply waits for no
 * more.
 */
const PEOPLE_BESIDE_ANSWERS = 200
/** While replies are slow, a turn has one step, and then rests as long as it took, up to this time. */
const MAX_REST_MS = SECOND_MS

type Key = { workspaceId: string; id: string }
/** The state of a turn: serving requests now, or over; and the moving sandbox clock, if any. */
type Turn = { isBeside(): boolean; isOver(): boolean; moving: MovingClock | undefined }

export function fanOutSource(options: FanOutOptions): WorkSource {
  const { database, clock, workspaces, onError } = options
  const sizes = stepSizes(clock)

  /** Runs the campaign's own work. Returns false if there is none, or another process does it. */
  const step = async (key: Key, workspace: Workspace, moving: MovingClock | undefined): Promise<boolean> => {
    const stepped = await database.tenant(workspace, async (unit) => {
      const realNow = clock.now()
      const row = await claimDueBroadcastRow(unit.tx, key, dueAt(realNow, moving))
      const stride = { realNow, people: sizes.ofOwn() }
      return row ? stepBroadcast(platformContext(unit, workspace, clock), row, stride) : false
    })
    if (stepped) sizes.noteOwn()
    return stepped
  }

  const walk = async (key: Key, workspace: Workspace, max: number): Promise<boolean> => {
    const startedMs = clock.monotonicMs()
    const people = Math.min(sizes.ofWalk(), max)
    const walked = await database.tenant(workspace, (unit) =>
      walkStretch(platformContext(unit, workspace, clock), key.id, { realNow: clock.now(), people }),
    )
    if (walked) {
      sizes.noteWalk({ people, ms: clock.monotonicMs() - startedMs })
      await waitForDisk(database.query)
    }
    return walked
  }

  const turn = async (key: DueBroadcast, workspace: Workspace, { isBeside, isOver, moving }: Turn) => {
    /** Runs `next` until it has nothing to do or the turn is over. Returns how often it did something. */
    const repeatTurn = async (next: () => Promise<boolean>): Promise<number> => {
      let done = 0
      while (await next()) {
        done++
        if (isOver()) break
      }
      return done
    }
    const walkerCount = isBeside() ? 1 : ABREAST
    const walkers = Array.from({ length: key.laidOut ? walkerCount : 0 }, () =>
      repeatTurn(() => walk(key, workspace, isBeside() ? PEOPLE_BESIDE_ANSWERS : Number.POSITIVE_INFINITY)),
    )
    const ended = await Promise.allSettled([repeatTurn(() => step(key, workspace, moving)), ...walkers])
    const failed = ended.find((result) => result.status === 'rejected')
    if (failed) {
      onError(failed.reason)
      await putBroadcastOff(database.query, workspace, key.id, later(clock.now(), AFTER_FAULT_MS))
      return 0
    }
    return ended.reduce((sum, result) => sum + (result.status === 'fulfilled' ? result.value : 0), 0)
  }

  return {
    name: BROADCASTS,
    pollMs: SECOND_MS,
    async runDue({ workspaceId, moving }) {
      const due = await listDueBroadcasts(database.query, dueAt(clock.now(), moving), TURNS, workspaceId)
      if (due.length === 0) return 0
      const owners = await workspaces([...new Set(due.map((broadcast) => broadcast.workspaceId))])
      // A request that moves a sandbox's clock waits for this work, so it does not give way.
      const isShared = () => workspaceId === undefined && options.areAnswersFrequent?.() === true
      const mustYield = () => workspaceId === undefined && options.areAnswersSlow?.() === true
      let ran = 0
      for (const key of due) {
        const workspace = owners.get(key.workspaceId)
        if (!workspace) continue
        const startedMs = clock.monotonicMs()
        const isFinished = () => mustYield() || clock.monotonicMs() - startedMs >= TURNS_MS / due.length
        ran += await turn(key, workspace, { isBeside: isShared, isOver: isFinished, moving })
        if (mustYield()) await wait(Math.min(MAX_REST_MS, clock.monotonicMs() - startedMs))
      }
      return ran
    },
    nextDue: findNextDueBroadcast,
    align: alignBroadcasts,
  }
}
