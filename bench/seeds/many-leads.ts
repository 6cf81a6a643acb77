import type { BenchDatabase } from '../ground/arena.ts'
import type { Shop } from './shops.ts'

/** A name that exactly three leads have. */
export const RARE_LEAD = 'Quaintance'

const STAGES = [
  ['New', 'initial'],
  ['Contacted', 'active'],
  ['Qualified', 'active'],
  ['Won', 'won'],
  ['Lost', 'lost'],
]
const SOURCES = ['website', 'referral', 'ads', 'fair', 'phone']
const FIRST = ['Asha', 'Ravi', 'Meera', 'Arjun', 'Kavya', 'Imran', 'Lakshmi', 'Joseph', 'Neha', 'Vikram']
const LAST = ['Rao', 'Sharma', 'Iyer', 'Khan', 'Patel', 'Nair', 'Das', 'Gupta', 'Reddy', 'Singh', 'Bose']
const OWNERS = 5
/** The number of leads created in one step, whose counters fit in memory. */
const AT_ONCE = 100_000

/** Gives workspaces the pipeline that their first lead would create. */
export async function addPipelines(database: BenchDatabase, shops: Shop[]): Promise<void> {
  await database.sql(
    `insert into pipeline_stages (workspace_id, id, name, color, kind, position, created_at)
     select shop, uuidv7(), name, '#64748b', kind, n, now()
     from unnest($1::uuid[]) shop, unnest($2::text[], $3::text[]) with ordinality as s (name, kind, n)`,
    [shops.map((shop) => shop.workspaceId), STAGES.map(([name]) => name), STAGES.map(([, kind]) => kind)],
  )
}

/** Gives a workspace a pipeline, a team, and `rows` leads, created over the last months. */
export async function addManyLeads(database: BenchDatabase, shop: Shop, rows: number): Promise<void> {
  await addPipelines(database, [shop])
  await database.sql(
    `insert into members (workspace_id, id, email, name, role, created_at)
     select $1, uuidv7(), 'm' || n || '@example.com', 'Member ' || n, 'agent', now() from generate_series(1, $2::int) n`,
    [shop.workspaceId, OWNERS],
  )
  for (let first = 1; first <= rows; first += AT_ONCE)
    await database.sql(
      `with known as (
         select (select array_agg(id order by position) from pipeline_stages where workspace_id = $1) as stages,
                (select array_agg(id) from members where workspace_id = $1) as team
       )
       insert into leads (workspace_id, id, contact_id, phone, name, email, stage_id, rating, source, owner_id, deal_value, tags,
                          attributes, next_follow_up_at, last_captured_at, stage_changed_at, created_at, updated_at)
       select $1, uuidv7(), uuidv7(), '9198' || lpad(n::text, 8, '0'),
              case when n in (17, 5000, 9999) then 'Zebulon ${RARE_LEAD}'
                   else ($4::text[])[1 + n % cardinality($4::text[])] || ' ' || ($5::text[])[1 + n % cardinality($5::text[])] end,
              case when n % 3 = 0 then 'customer' || n || '@example.com' end,
              stages[1 + (n * 7 + n / 11) % cardinality(stages)], (n / 3) % 6, ($6::text[])[1 + n % cardinality($6::text[])],
              case when n % 4 > 0 then team[1 + n % cardinality(team)] end, (n * 37) % 5000 * 10,
              case when n % 10 = 0 then '{vip}' else '{}' end::text[],
              case when n % 5 = 0 then '{"city": "Pune"}' else '{}' end::jsonb,
              case when n % 10 = 1 then now() + (n % 2880) * interval '15 minutes' - interval '3 days' end,
              made, made, made, made
       from generate_series($2::int, $3::int) n, known,
            lateral (select now() - ($7::int - n) * (interval '90 days' / $7::int) as made) m`,
      [shop.workspaceId, first, Math.min(rows, first + AT_ONCE - 1), FIRST, LAST, SOURCES, rows],
    )
  await database.admin('vacuum (analyze)')
}
