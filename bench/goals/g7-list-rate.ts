/**
 * G7: compares pages of a list per second with the driver reading the same page from a table of the same
 * rows.
 */
import { getRequest } from '../ground/requests.ts'
import { alternate, rateOf } from '../ground/rounds.ts'
import { makeLoad, startService } from '../ground/service.ts'
import { median } from '../ground/statistics.ts'
import { watchWaiting } from '../ground/waiting.ts'
import type { BareResult } from '../processes/bare-sql.ts'
import { addManyRows } from '../seeds/many-rows.ts'
import { makeShops } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'

const ROWS = 100_000
const CURSORS = 500
const CONNECTIONS = 20
const BARE_CONNECTIONS = 16
const AIM = { reach: 0.6, dream: 0.7 }

export const measureListRate: Goal = async (arena, options) => {
  const database = await arena.database('g7')
  const [shop] = await makeShops(database, 1, 'unlimited')
  await addManyRows(database, shop!, ROWS)
  const places = await database.sql<{ id: string }>('select id from contacts order by random() limit $1', [
    CURSORS,
  ])
  const bareDatabase = await arena.database('bare_page', true)
  const bare = arena.child('bare-sql')
  await bare.ask('open', { url: bareDatabase.url, connections: BARE_CONNECTIONS, shape: 'page' })
  // Thousands of reads of one workspace: its bucket is not measured here.
  const service = await startService(arena, database, { roles: 'web', limiter: false })
  const load = makeLoad(arena)
  const counts = { issued: 0, accepted: 0, lost: 0 }
  const p99s: number[] = []
  const seconds = arena.quick ? 2 : 5
  const read = async () => {
    const result = await load.run({
      port: service.port,
      connections: CONNECTIONS,
      seconds,
      templates: places.map(({ id }) => getRequest(`/contacts?cursor=${id}`, shop!.apiKey)),
    })
    counts.issued += result.issued
    counts.accepted += result.statuses[200] ?? 0
    counts.lost += result.lost
    p99s.push(result.latency.p99Ms)
    return (result.statuses[200] ?? 0) / result.seconds
  }
  const readBare = async () => (await bare.ask<BareResult>('run', { seconds })).perSecond
  await readBare()
  await read()
  p99s.length = 0
  const watch = watchWaiting(arena, { server: service, generator: load })
  const rounds = await alternate(arena.quick ? 2 : 5, readBare, () => watch.during(read))
  const profiles = options.profile ? [await service.profileDuring('g7-pages', read)] : []
  await bare.stop()
  await service.stop()
  await load.stop()
  const { issued, accepted, lost } = counts
  return {
    profiles,
    figures: [
      {
        goal: 'G7',
        what: `pages of 50 contacts/s among ${ROWS}, c=${CONNECTIONS}`,
        denominator: `bare pg, 51 rows by keyset, c=${BARE_CONNECTIONS}`,
        ...rateOf(rounds, AIM),
        waiting: watch.read(),
        ledgers: [{ what: 'pages', whole: issued, parts: { 'answered 200': accepted, lost } }],
        notes: [`p99 ${median(p99s).toFixed(1)} ms`],
      },
    ],
  }
}
