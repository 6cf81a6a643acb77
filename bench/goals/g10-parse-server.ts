/**
 * G10: compares created contacts with rows created by Parse Server, with the same generator and the same
 * PostgreSQL.
 */
import { CREATING_SHOPS } from '../ground/creates.ts'
import { installPeer } from '../ground/peers.ts'
import { jsonPost, SERIAL } from '../ground/requests.ts'
import { alternate, rateOf, withAim } from '../ground/rounds.ts'
import { type Load, makeLoad, startService } from '../ground/service.ts'
import { median } from '../ground/statistics.ts'
import { watchWaiting } from '../ground/waiting.ts'
import type { Template } from '../processes/load.ts'
import type { ParseServerStart } from '../processes/parse-server.ts'
import type { Ledger } from '../report.ts'
import { makeShops } from '../seeds/shops.ts'
import { contactRequest } from './g2-contacts.ts'
import type { Goal } from './goal.ts'

const PEER = { name: 'parse-server', version: '9.10.0' }
const CONNECTIONS = 20
const RATE_AIM = { reach: 2.5, dream: 3.5 }
const P99_AIM = { reach: 0.5, dream: 0.3 }
const APP = { appId: 'bench', apiKey: 'bench-key' }

/** The same fields as our contact, without validation. */
const peerRequest = jsonPost(
  '/classes/Contact',
  { 'x-parse-application-id': APP.appId, 'x-parse-rest-api-key': APP.apiKey },
  { phone: `+9198${SERIAL}`, displayName: 'Asha Rao', tags: ['bench'] },
)

/** Measures one of the two under the same load. The first run warms up and counts in no p99. */
function makeSide(load: Load, port: number, templates: Template[]) {
  const p99s: number[] = []
  const ledger = { issued: 0, accepted: 0, refused: 0, lost: 0 }
  return {
    run: async (seconds: number): Promise<number> => {
      const result = await load.run({ port, templates, connections: CONNECTIONS, seconds })
      const accepted = result.statuses[201] ?? 0
      const answered = Object.values(result.statuses).reduce((sum, count) => sum + count, 0)
      ledger.issued += result.issued
      ledger.accepted += accepted
      ledger.refused += answered - accepted
      ledger.lost += result.lost
      p99s.push(result.latency.p99Ms)
      return accepted / result.seconds
    },
    p99Ms: () => median(p99s.slice(1)),
    ledgers: (side: string, stored: string): Ledger[] => {
      const { issued, ...outcomes } = ledger
      return [
        { what: `requests, ${side}`, whole: issued, parts: outcomes },
        { what: `accepted, ${side}`, whole: ledger.accepted, parts: { stored: Number(stored) } },
      ]
    },
  }
}

export const measureAgainstParseServer: Goal = async (arena) => {
  const folder = installPeer(PEER.name, PEER.version, arena.say)
  const peerDatabase = await arena.database('g10_peer', true)
  const peer = arena.child('parse-server')
  const start: ParseServerStart = { folder, databaseUrl: peerDatabase.url, ...APP }
  const peerServer = await peer.ask<{ port: number }>('start', start)
  const database = await arena.database('g10')
  const shops = await makeShops(database, CREATING_SHOPS, 'pro')
  await database.admin('vacuum (analyze)')
  const service = await startService(arena, database, { roles: 'web' })
  const load = makeLoad(arena)

  const parleySide = makeSide(
    load,
    service.port,
    shops.map((shop) => contactRequest(shop.apiKey)),
  )
  const other = makeSide(load, peerServer.port, [peerRequest])
  const [warmSeconds, seconds, times] = arena.quick ? [2, 3, 2] : [5, 8, 5]
  await other.run(warmSeconds)
  await parleySide.run(warmSeconds)
  const watch = watchWaiting(arena, { server: service, generator: load }, service)
  const rounds = await alternate(
    times,
    () => other.run(seconds),
    () => watch.during(() => parleySide.run(seconds)),
  )
  const waiting = watch.read()
  const p99Ratio = parleySide.p99Ms() / other.p99Ms()
  const [stored] = await database.sql<{ ours: string }>('select count(*) as ours from contacts')
  const [peerRow] = await peerDatabase.sql<{ theirs: string }>('select count(*) as theirs from "Contact"')
  const denominator = `Parse Server ${PEER.version}, one row, c=${CONNECTIONS}`
  const figures = [
    {
      goal: 'G10',
      what: `contacts created/s, c=${CONNECTIONS}`,
      denominator,
      ...rateOf(rounds, RATE_AIM),
      waiting,
      ledgers: [...parleySide.ledgers('ours', stored!.ours), ...other.ledgers('theirs', peerRow!.theirs)],
      notes: [
        'ours each with an Idempotency-Key, an event, counters and limits; theirs a row without any rule',
      ],
    },
    {
      goal: 'G10',
      what: `p99, c=${CONNECTIONS}`,
      denominator,
      bare: other.p99Ms(),
      ours: parleySide.p99Ms(),
      unit: 'ms',
      ratio: p99Ratio,
      ...withAim(p99Ratio, P99_AIM, '<='),
      waiting,
    },
  ]
  await service.stop()
  await load.stop()
  await peer.stop()
  return { figures }
}
