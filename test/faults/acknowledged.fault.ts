/**
 * G12 in full: of a million acknowledged sends over fifty kills, none is lost and none is done twice for its
 * key
 * (`npm run faults -- --rounds 50 --accepted 1000000 --seconds 2400 acknowledged`).
 */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { openBenchDatabase } from '../../bench/ground/arena.ts'
import { startChild } from '../../bench/ground/children.ts'
import { postRequest, SERIAL } from '../../bench/ground/requests.ts'
import { SECRET_KEY } from '../../bench/ground/service.ts'
import type { KeyedLoadState } from '../../bench/processes/keyed-load.ts'
import { makeOpenChats, type OpenChat } from '../../bench/seeds/shops.ts'
import { findRunningEmbedded } from '../../src/database/embedded.ts'
import { acknowledgedLedger, textOf } from '../support/acknowledged-ledger.ts'
import {
  acceptedWanted,
  recordFigures,
  roundsOf,
  roundsWanted,
  timeFor,
  timeOver,
} from '../support/fault-run.ts'
import { kill, VICTIMS, type Victim, victimsOf } from '../support/installation-kills.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { type Installation, newInstallation } from '../support/server-process.ts'

const SHOPS = 400
const CONTACTS_EACH = 10
const CLIENTS = 64
/** In addition to the last sends before each kill. */
const CHECKED_EACH = 512
const LOOK_MS = 25
/** The kills' share of the time. */
const HAND_OVER_SHARE = 1 / 8
const ANSWERS = ['200', '409', '429', '503']

type Child = ReturnType<typeof startChild>

/** Opens a pool to the database at its current address. */
async function withBenchDatabase<T>(
  { dataDir }: Installation,
  work: (database: ReturnType<typeof openBenchDatabase>) => Promise<T>,
): Promise<T> {
  const { url, superuserUrl } = findRunningEmbedded(dataDir)!
  const database = openBenchDatabase(url, superuserUrl)
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

/**
 * Waits until the operator has all messages and the service has all of its reports, or until the time is
 * over.
 */
async function handOver(installation: Installation, isOver: () => boolean): Promise<void> {
  await withBenchDatabase(installation, async ({ sql }) => {
    const busy = async () =>
      (
        await sql<{ busy: boolean }>(
          `select exists (select from messages where run_at is not null)
             or exists (select from operator_updates where failed_at is null) as busy`,
        )
      )[0]!.busy
    while (!isOver() && (await busy())) await wait(500)
  })
}

const requestsTo = (chats: OpenChat[]) =>
  chats.map(({ phone, apiKey }) =>
    postRequest('/send', apiKey, { to: phone, type: 'text', text: textOf(SERIAL) }),
  )

const medianOf = (times: number[]): number => [...times].sort((a, b) => a - b)[Math.floor(times.length / 2)]!

test(
  'kill -9 of the service and of the database at full rate: every acknowledged key stays exactly one message',
  async () => {
    const random = randomFrom(seedOf('acknowledged'))
    const goal = acceptedWanted(20_000)
    const victims = victimsOf(random)
    const rounds = roundsWanted(3)
    const isOver = timeOver()
    const installation = await newInstallation({ PARLEY_SECRET_KEY: SECRET_KEY })
    let load: Child | undefined
    onTestFinished(async () => {
      await load?.stop()
      await installation.remove()
    })
    let server = await installation.start()
    const chats = await withBenchDatabase(installation, (database) =>
      makeOpenChats(database, SHOPS, CONTACTS_EACH),
    )
    const child = startChild('keyed-load', { logDir: installation.dataDir })
    load = child
    await child.ask('start', { port: installation.port, connections: CLIENTS, templates: requestsTo(chats) })
    const begunMs = performance.now()
    const readState = () => child.ask<KeyedLoadState>('state')
    const waitUntilAcknowledged = async (count: number) => {
      while ((await readState()).acknowledged < count && !isOver()) await wait(LOOK_MS)
      return !isOver()
    }

    const recoveries: { victim: Victim; ms: number }[] = []
    for (const round of roundsOf(rounds)) {
      if (!(await waitUntilAcknowledged(((round - 1 + random()) / rounds) * goal))) break
      const victim = victims.next().value
      await wait(random() * LOOK_MS)
      let recovered: Promise<number> | undefined
      server = await kill(victim, installation, server, () => {
        recovered = child.ask<number>('killed')
      })
      recoveries.push({ victim, ms: Math.round(await recovered!) })
      await child.ask('check', Array.from({ length: CHECKED_EACH }, random))
      const { acknowledged, heardLater, checked } = await readState()
      console.log(
        `round ${round}: killed ${victim}, ${acknowledged} acknowledged, ${heardLater} heard of later, ${checked} asked again`,
      )
    }
    await waitUntilAcknowledged(goal)
    const state = await child.ask<KeyedLoadState>('settle')
    const timeWasOver = isOver()
    const seconds = (performance.now() - begunMs) / 1_000
    await handOver(installation, timeOver(HAND_OVER_SHARE))
    const ledger = await acknowledgedLedger(installation.databaseUrl(), {
      chats,
      requestCount: state.asked,
      page: (from, count) => child.ask<Uint8Array>('page', { from, count }),
    })
    const { acknowledged, handedOver, ...zeros } = ledger
    const times = VICTIMS.map((victim) => {
      const own = recoveries.filter((recovery) => recovery.victim === victim).map(({ ms }) => ms)
      return `${own.length} x ${victim}${own.length > 0 ? ` (${medianOf(own)} ms)` : ''}`
    })
    recordFigures({
      rows: '1, 6, 7, G12',
      fault: 'kill -9 of service, database or both at full rate',
      rounds: recoveries.length,
      kills: recoveries.length + recoveries.filter(({ victim }) => victim === 'the database twice').length,
      accepted: acknowledged,
      lost: Math.max(ledger.lost, ledger.forgotten),
      doubled: Math.max(ledger.doubled, ledger.unheard),
      eventsMissing: ledger.eventsMissing + ledger.eventsWrong,
      recoveriesMs: recoveries.map(({ ms }) => ms),
      note: `${timeWasOver ? 'the time was over first; ' : ''}${Math.round(acknowledged / seconds)}/s from ${CLIENTS} clients, kills included; ${times.join(', ')}; ${state.heardLater} had happened although their answer was lost; ${state.checked} acknowledged keys asked again, each answered with its id; ${handedOver} handed over, the others still waited`,
    })
    expect(state.problems).toEqual([])
    expect(Object.keys(state.statuses).filter((status) => !ANSWERS.includes(status))).toEqual([])
    expect(state.acknowledged).toBe(state.asked)
    expect(zeros).toEqual(Object.fromEntries(Object.keys(zeros).map((name) => [name, 0])))
    expect(acknowledged).toBe(state.acknowledged)
    expect(server.output()).not.toContain('unhandled promise rejection')
    expect((await server.end('SIGTERM')).code).toBe(0)
  },
  timeFor(240_000),
)
