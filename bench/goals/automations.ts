/**
 * Measures the cost of automations: leads per second without automations, with fifty for other events, and
 * with fifty for leads.
 */
import type { BenchDatabase } from '../ground/arena.ts'
import { postRequest, SERIAL } from '../ground/requests.ts'
import { makeLoad, startService } from '../ground/service.ts'
import { median } from '../ground/statistics.ts'
import { makeShops, type Shop } from '../seeds/shops.ts'
import type { Goal } from './goal.ts'

const CONNECTIONS = 24
const AUTOMATIONS = 50
const ROUNDS = 5
/** Fifty automations may cost at most a tenth, with any event. */
const LEAST_RATIO = 0.9

/** Adds fifty automations for `event` whose conditions never match. */
const addAutomations = (database: BenchDatabase, { workspaceId }: Shop, event: string) =>
  database.sql(
    `with made as (
       insert into automations (workspace_id, id, name, enabled, trigger, conditions, actions, event, include_imports, scheduled, names,
                                created_at, updated_at)
       select $1, uuidv7(), 'Automation ' || n, true, jsonb_build_object('event', $2::text, 'includeImports', false),
              '{"match": "all", "conditions": [{"field": "event.source", "op": "eq", "value": "nowhere"}]}',
              '[{"type": "add_note", "text": "Hello", "on": "lead"}]', $2, false, false, '{}', now(), now()
       from generate_series(1, $3::int) n returning workspace_id, id
     )
     insert into automation_states (workspace_id, automation_id) select workspace_id, id from made`,
    [workspaceId, event, AUTOMATIONS],
  )

export const measureAutomations: Goal = async (arena) => {
  const database = await arena.database('automations')
  const [withoutRules, others, listening] = (await makeShops(database, 3, 'unlimited')) as [Shop, Shop, Shop]
  await addAutomations(database, others, 'call.missed')
  await addAutomations(database, listening, 'lead.created')
  await database.admin('vacuum (analyze)')
  const service = await startService(arena, database, { roles: 'web', limiter: false })
  const load = makeLoad(arena)
  const seconds = arena.quick ? 1 : 5
  const leads = async (shop: Shop): Promise<number> => {
    const result = await load.run({
      port: service.port,
      connections: CONNECTIONS,
      seconds,
      templates: [postRequest('/leads', shop.apiKey, { phone: `+9198${SERIAL}`, name: 'Asha Rao' })],
    })
    const { 201: created = 0, 200: existing = 0 } = result.statuses
    return (created + existing) / result.seconds
  }
  const [bareRates, besideRates, withFifty]: [number[], number[], number[]] = [[], [], []]
  await leads(withoutRules)
  // In turn, so that other load on the machine affects all variants.
  for (let round = 0; round < ROUNDS; round++) {
    bareRates.push(await leads(withoutRules))
    besideRates.push(await leads(others))
    withFifty.push(await leads(listening))
  }
  await service.stop()
  await load.stop()
  const ratio = median(besideRates.map((perSecond, i) => perSecond / bareRates[i]!))
  const share = median(withFifty.map((perSecond, i) => perSecond / bareRates[i]!))
  return {
    figures: [
      {
        goal: 'automations',
        what: `leads/s without automations, c=${CONNECTIONS}`,
        ours: median(bareRates),
        unit: '/s',
        target: 'none',
        rounds: bareRates,
      },
      {
        goal: 'automations',
        what: `the same with ${AUTOMATIONS} that listen to something else, against none`,
        ours: ratio,
        unit: 'x',
        target: `>= ${LEAST_RATIO}`,
        met: ratio >= LEAST_RATIO,
        rounds: besideRates,
      },
      {
        goal: 'automations',
        what: `the same with ${AUTOMATIONS} runs for each lead, which the worker makes, against none`,
        ours: share,
        unit: 'x',
        target: `>= ${LEAST_RATIO}`,
        met: share >= LEAST_RATIO,
        rounds: withFifty,
      },
    ],
  }
}
