/** Measures pages of 50 messages per second, from a process of both roles, as `npm start` runs it. */
import { setTimeout as wait } from 'node:timers/promises'
import { getRequest } from '../ground/requests.ts'
import { boundOf, paceOf } from '../ground/rounds.ts'
import { makeLoad, startService } from '../ground/service.ts'
import { median } from '../ground/statistics.ts'
import { watchWaiting } from '../ground/waiting.ts'
import { addManyRows } from '../seeds/many-rows.ts'
import { makeShops } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'

const ROWS = 100_000
const CURSORS = 500
const PAGE = 50
const CONNECTIONS = 64
const RATE_AIM = { reach: 2_000, dream: 4_000 }
const P50_AIM = { reach: 30 }
const BREATH_MS = 200

export const measureMessagePages: Goal = async (arena, options) => {
  const database = await arena.database('pages')
  const [shop] = await makeShops(database, 1, 'unlimited')
  await addManyRows(database, shop!, ROWS)
  // Each of them has fifty older messages.
  const places = await database.sql<{ id: string }>(
    'select id from (select id from messages order by id desc limit $2) newer order by random() limit $1',
    [CURSORS, ROWS - PAGE],
  )
  const templates = places.map(({ id }) => getRequest(`/messages?limit=${PAGE}&cursor=${id}`, shop!.apiKey))
  // Thousands of reads of one workspace: its bucket is not measured here.
  const service = await startService(arena, database, { roles: 'web,worker', limiter: false })
  const load = makeLoad(arena)
  const watch = watchWaiting(arena, { server: service, generator: load })
  const counts = { issued: 0, accepted: 0, lost: 0 }
  const rounds: { perSecond: number; p50Ms: number; p99Ms: number }[] = []
  let oddAnswer: string | undefined
  const read = async (seconds: number) => {
    const result = await load.run({ port: service.port, connections: CONNECTIONS, seconds, templates })
    const accepted = result.statuses[200] ?? 0
    counts.issued += result.issued
    counts.accepted += accepted
    counts.lost += result.lost
    oddAnswer ??= result.oddAnswer
    return { perSecond: accepted / result.seconds, ...result.latency }
  }
  await read(2)
  for (let round = 0; round < (arena.quick ? 2 : 5); round++) {
    rounds.push(await watch.during(() => read(arena.quick ? 1.5 : 3)))
    await wait(BREATH_MS)
  }
  const waiting = watch.read()
  const profiles = options.profile ? [await service.profileDuring('message-pages', () => read(4))] : []
  await service.stop()
  await load.stop()
  const { issued, accepted, lost } = counts
  const p99Ms = median(rounds.map((round) => round.p99Ms))
  const shared = {
    goal: 'pages',
    ledgers: [{ what: 'pages', whole: issued, parts: { 'answered 200': accepted, lost } }],
    waiting,
  }
  return {
    profiles,
    figures: [
      {
        ...shared,
        what: `pages of ${PAGE} messages/s among ${ROWS}, c=${CONNECTIONS}`,
        ...paceOf(
          rounds.map((round) => round.perSecond),
          RATE_AIM,
        ),
        notes: [`p99 ${p99Ms.toFixed(1)} ms`, ...(oddAnswer ? [`first odd answer: ${oddAnswer}`] : [])],
      },
      {
        ...shared,
        what: `pages of ${PAGE} messages: p50, c=${CONNECTIONS}`,
        ...boundOf(median(rounds.map((round) => round.p50Ms)), 'ms', P50_AIM),
      },
    ],
  }
}
