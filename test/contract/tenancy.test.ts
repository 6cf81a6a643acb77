/** Another workspace's data is as if it were not there (spec 4.1.3), for every endpoint and every table. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Endpoint } from '../../src/core/endpoint.ts'
import type { OpenDatabase } from '../../src/database/database.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { openAsService } from '../support/open-database.ts'
import { arrange, arranging, newPhone } from './arrange.ts'
import { document } from './conform.ts'
import { ask, KEYED, named, type Prepared, WITH_SUBJECT } from './requests.ts'

const ARRANGING = await arranging()

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi

let parley: TestParley
let ownShop: TestWorkspace
let foreignShop: TestWorkspace
let database: OpenDatabase
/** A valid request of the other workspace for every endpoint, and all ids in the answers. */
const requests = new Map<Endpoint, Prepared>()
const theirIds = new Set<string>()

beforeAll(async () => {
  // Without the worker, only requests change data.
  parley = await boot({ ...ARRANGING, env: { ...ARRANGING.env, PARLEY_ROLES: 'web' } })
  ownShop = await parley.workspace({ sandbox: true })
  foreignShop = await parley.workspace({ sandbox: true })
  database = openAsService(parley.databaseUrl)
  for (const value of KEYED) {
    const prepared = await arrange(value, foreignShop)
    requests.set(value, prepared)
    // Reads only: the wrong workspace tries the writes.
    const { text } = await foreignShop.get('/conversations')
    const answers = [text, value.method === 'GET' ? (await foreignShop.get(prepared.path)).text : '']
    for (const answer of answers) for (const [id] of answer.matchAll(UUID)) theirIds.add(id)
  }
  for (const [id] of JSON.stringify(document).matchAll(UUID)) theirIds.delete(id)
  await foreignShop.post('/contacts', { phone: newPhone() }, { idempotencyKey: 'theirs' })
})
afterAll(async () => {
  await database.close()
  await parley.close()
})

const foreignIds = (text: string): string[] =>
  [...text.matchAll(UUID)].map(([id]) => id).filter((id) => theirIds.has(id))

/** Returns all stored data of the other workspace, as one text to compare. */
const stateOfTheirs = async (): Promise<string> => {
  const state: Record<string, unknown> = {}
  for (const table of [
    'contacts',
    'conversations',
    'conversation_notes',
    'messages',
    'webhook_endpoints',
    'deliveries',
  ])
    state[table] = await database.query(`select * from ${table} where workspace_id = $1 order by id`, [
      foreignShop.workspaceId,
    ])
  return JSON.stringify(state)
}

describe('from outside', () => {
  test.each(named(WITH_SUBJECT))("%s: another workspace's id answers like a missing id", async (_, value) => {
    const { path, body } = requests.get(value) as Prepared
    const [id] = path.match(UUID) as string[]
    const missing = randomUUID()
    const before = await stateOfTheirs()
    const foreign = await ask(ownShop, value, { path, body })
    const absent = await ask(ownShop, value, { path: path.replace(id as string, missing), body })
    expect(foreign, foreign.text).toMatchObject({ status: 404, body: { error: 'not_found' } })
    expect(foreign.text.replaceAll(id as string, missing)).toBe(absent.text)
    expect(foreign.status).toBe(absent.status)
    expect(await stateOfTheirs(), 'nothing of theirs was touched').toBe(before)
  })

  test.each(named(KEYED.filter((value) => value.method === 'GET' && !value.subject)))(
    '%s shows nothing of another workspace',
    async (_, value) => {
      await arrange(value, ownShop)
      const { path } = requests.get(value) as Prepared
      const answer = await ask(ownShop, value, { path })
      expect(answer.status).toBe(200)
      expect(foreignIds(answer.text)).toEqual([])
    },
  )

  test("another workspace's contacts, also by number, and its idempotency keys, are not visible", async () => {
    const phone = newPhone()
    const idempotencyKey = randomUUID()
    await foreignShop.post('/contacts', { phone, displayName: 'Theirs' }, { idempotencyKey })
    expect((await ownShop.get(`/contacts/${encodeURIComponent(phone)}`)).status).toBe(404)
    expect((await ownShop.get(`/contacts?phone=${encodeURIComponent(phone)}`)).body.contacts).toEqual([])
    const response = await ownShop.post('/contacts', { phone }, { idempotencyKey })
    expect(response.status).toBe(201)
    expect(response.headers['idempotent-replayed']).toBeUndefined()
  })

  test("another workspace's ids in a body count as unknown", async () => {
    const phone = newPhone()
    await ownShop.inbound(phone, 'Hello')
    const { id } = (await ownShop.get('/conversations?limit=1')).body.conversations[0]
    const cases: [string, string, unknown][] = [
      ['POST', '/send', { to: phone, type: 'text', text: 'Hi', phoneNumberId: foreignShop.phoneNumberId }],
      ['PATCH', `/conversations/${id}`, { assignedAgentId: foreignShop.ownerId }],
    ]
    for (const [method, path, body] of cases)
      expect(await ownShop.call(method, path, body)).toMatchObject({
        status: 400,
        body: { error: 'invalid_reference' },
      })
  })

  test("another workspace's cursor does not lead to its page", async () => {
    const { contacts } = (await foreignShop.get('/contacts?limit=100')).body
    const { text } = await ownShop.get(`/contacts?cursor=${contacts[0].id}`)
    expect(foreignIds(text)).toEqual([])
  })
})

type Table = { name: string; column: string }

/** Tables without a workspace: the service's own. */
const OF_NO_WORKSPACE = [
  'account_identities',
  'account_mails',
  'accounts',
  'erasures',
  'passkeys',
  'schema_migrations',
  'sessions',
  'sign_in_failures',
  'sign_in_tokens',
  'workspace_moves',
]

describe('in the database itself', () => {
  let tables: Table[]
  const withOwnRights = <T>(
    work: (sql: (text: string, parameters?: unknown[]) => Promise<T[]>) => Promise<T[]>,
  ) =>
    database.tenantIds([ownShop.workspaceId], (unit) =>
      work((text, parameters) => unit.tx.sql<T>(text, parameters)),
    )

  beforeAll(async () => {
    tables = await database.query<Table>(
      `select p.tablename::text as name,
              case when exists (select from information_schema.columns c
                                where c.table_name = p.tablename and c.column_name = 'workspace_id')
                then 'workspace_id' else 'id' end as column
       from pg_policies p where p.schemaname = current_schema() order by 1`,
    )
  })

  test('every table has an active row policy', async () => {
    const unguarded = await database.query<{ name: string }>(
      `select c.relname::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname = current_schema() and c.relkind in ('r', 'p') and not c.relispartition
         and not (c.relrowsecurity and exists (select from pg_policies p where p.tablename = c.relname))
       order by 1`,
    )
    expect(unguarded.map(({ name }) => name)).toEqual(OF_NO_WORKSPACE)
    expect(tables.length).toBeGreaterThan(10)
  })

  test('a transaction of one workspace sees no row of another, even without a condition', async () => {
    const leaks: string[] = []
    for (const { name, column } of tables) {
      const unknownOnes = await withOwnRights<{ count: number }>((sql) =>
        sql(
          `select count(*)::int4 as count from (select * from ${name}) as everything where ${column} <> $1`,
          [ownShop.workspaceId],
        ),
      )
      if (unknownOnes[0]?.count !== 0) leaks.push(name)
    }
    expect(leaks).toEqual([])
    const [{ count } = { count: 0 }] = await database.query<{ count: number }>(
      'select count(*)::int4 as count from contacts where workspace_id = $1',
      [foreignShop.workspaceId],
    )
    expect(count, 'there is something to see').toBeGreaterThan(0)
  })

  test('it cannot insert, change, take, or delete a row of another workspace', async () => {
    for (const { name, column } of tables) {
      await expect(
        withOwnRights((sql) => sql(`insert into ${name} (${column}) values ($1)`, [foreignShop.workspaceId])),
        `insert into ${name}`,
      ).rejects.toThrow(/row-level security/)
      const touched = await withOwnRights((sql) =>
        sql(`update ${name} set ${column} = ${column} where ${column} = $1 returning 1 as one`, [
          foreignShop.workspaceId,
        ]),
      )
      const deleted = await withOwnRights((sql) =>
        sql(`delete from ${name} where ${column} = $1 returning 1 as one`, [foreignShop.workspaceId]),
      )
      expect({ name, touched, deleted }).toEqual({ name, touched: [], deleted: [] })
    }
  })

  test('it cannot give one of its rows to another workspace', async () => {
    await ownShop.post('/contacts', { phone: newPhone() })
    await expect(
      withOwnRights((sql) => sql('update contacts set workspace_id = $1', [foreignShop.workspaceId])),
    ).rejects.toThrow(/row-level security/)
  })

  test('without a workspace it sees no rows', async () => {
    const rows = await database.tenantIds([], (unit) => unit.tx.sql('select id from contacts'))
    expect(rows).toEqual([])
  })

  test('no other role may read: the role of tenants is no superuser and does not bypass policies', async () => {
    const [role] = await database.query<{ rolsuper: boolean; rolbypassrls: boolean; rolcanlogin: boolean }>(
      "select rolsuper, rolbypassrls, rolcanlogin from pg_roles where rolname = 'parley_tenant'",
    )
    expect(role).toEqual({ rolsuper: false, rolbypassrls: false, rolcanlogin: false })
  })
})
