/**
 * G17: compares the duration of ordinary sends during a campaign's fan-out in the same process with their
 * duration before it.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { withAim } from '../ground/rounds.ts'
import { makeLoad, startService } from '../ground/service.ts'
import { median } from '../ground/statistics.ts'
import { watchWaiting } from '../ground/waiting.ts'
import type { SinkOpening } from '../processes/sink.ts'
import type { Ledger } from '../report.ts'
import { makeCampaignShop } from '../seeds/campaigns.ts'
import { seedSends } from './g1-sends.ts'
import { campaignLedger, createCampaign, peopleOf } from './g4-campaigns.ts'
import type { Goal } from './goal.ts'

const AIM = { reach: 3, dream: 2 }
/** A few percent of a process's capacity: an ordinary day. */
const SENDS_A_SECOND = 100
const CONNECTIONS = 16
const SLICE_SECONDS = 4
const QUIET_SLICES = 4

export const measureBesideCampaign: Goal = async (arena, options) => {
  const people = peopleOf(arena)
  const database = await arena.database('g17')
  arena.say(`  ${people} people …`)
  const templates = await seedSends(database)
  const shop = await makeCampaignShop(database, people)
  await database.admin('vacuum (analyze)')
  await database.admin('checkpoint')
  const sink = arena.child('sink')
  const opening: SinkOpening = { operator: true }
  const [operatorPort] = await sink.ask<number[]>('open', opening)
  const service = await startService(arena, database, {
    roles: 'web,worker',
    env: { PARLEY_OPERATOR_URL: `http://127.0.0.1:${operatorPort}` },
  })
  const load = makeLoad(arena)
  const counts = { issued: 0, accepted: 0, refused: 0, lost: 0 }
  let oddAnswer: string | undefined
  const slice = async () => {
    const result = await load.run({
      port: service.port,
      connections: CONNECTIONS,
      seconds: SLICE_SECONDS,
      perSecond: SENDS_A_SECOND,
      templates,
    })
    counts.issued += result.issued
    const accepted = result.statuses[200] ?? 0
    counts.accepted += accepted
    counts.refused += Object.values(result.statuses).reduce((sum, count) => sum + count, 0) - accepted
    counts.lost += result.lost
    oddAnswer ??= result.oddAnswer
    return result.latency
  }
  const isCompleted = async (): Promise<boolean> => {
    const [row] = await database.sql('select 1 from broadcasts where workspace_id = $1 and status = $2', [
      shop.workspaceId,
      'completed',
    ])
    return row !== undefined
  }
  await slice()
  const quiet = []
  for (let i = 0; i < QUIET_SLICES; i++) quiet.push(await slice())
  const during: Awaited<ReturnType<typeof slice>>[] = []
  const watch = watchWaiting(arena, { server: service, operator: sink, generator: load }, service)
  const startedMs = performance.now()
  await createCampaign(service.port, shop)
  let endedMs = 0
  const watched = (async () => {
    while (!(await isCompleted())) await wait(100)
    endedMs = performance.now()
  })()
  const profiles = options.profile
    ? [await service.profileDuring('g17-beside', async () => void during.push(await slice()))]
    : []
  while (endedMs === 0) during.push(await watch.during(slice))
  await watched
  const { rss } = await service.use()
  await service.stop()
  await load.stop()
  await sink.stop()
  const p99 = (slices: typeof during) => median(slices.map((slice) => slice.p99Ms))
  const ratio = p99(during) / p99(quiet)
  const { issued, accepted, refused, lost } = counts
  const ledgers: Ledger[] = [
    { what: 'sends', whole: issued, parts: { accepted, refused, lost } },
    ...(await campaignLedger(database, shop, people)).filter(({ parts }) => 'recipients' in parts),
  ]
  const worst = Math.max(...during.map((slice) => slice.p99Ms))
  return {
    profiles,
    figures: [
      {
        goal: 'G17',
        what: `p99 of sends (${SENDS_A_SECOND}/s) beside a campaign to ${people}`,
        denominator: 'the same before it',
        bare: p99(quiet),
        ours: p99(during),
        unit: 'ms',
        ratio,
        ...withAim(ratio, AIM, '<='),
        waiting: watch.read(),
        rounds: during.map((slice) => slice.p99Ms),
        ledgers,
        notes: [
          `${Math.round(people / ((endedMs - startedMs) / 1000))} recipients/s meanwhile; worst ${SLICE_SECONDS} s: p99 ${worst.toFixed(1)} ms; p50 ${median(quiet.map((slice) => slice.p50Ms)).toFixed(1)} ms before, ${median(during.map((slice) => slice.p50Ms)).toFixed(1)} ms beside it; ${Math.round(rss / 1e6)} MB resident at the end`,
          ...(oddAnswer ? [`first odd answer: ${oddAnswer}`] : []),
        ],
      },
    ],
  }
}
