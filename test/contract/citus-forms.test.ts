/**
 * Statements and functions have forms that Citus takes (docs/decisions/citus.md). These are the rules that a trial on a cluster
 * found; `PARLEY_TEST_CITUS_URL` runs tests on a real one.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onDatabase } from '../../src/database/on-database.ts'
import { READS_FIRST } from '../../src/database/sql/sql.ts'
import { boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { recordStatements } from '../support/statement-recorder.ts'
import { arrange, arranging, newPhone } from './arrange.ts'
import { brokenRules } from './citus-rules.ts'
import { ask, KEYED } from './requests.ts'
import { filesIn, parse } from './source-files.ts'

const ARRANGING = await arranging()

/** Statements in the source that need not have a form, by file, with the reason. */
const OTHER_FORMS: Record<string, string> = {
  'src/modules/platform/workspaces/queries/kept-callbacks.ts':
    'hands on to a cell of the same server; distributed cells have an address instead',
  'src/modules/messaging/messages/intake/queries/updates.ts': 'the word `from` belongs to substring()',
}

type Node = { type: string; name?: string; value?: unknown; quasis?: TemplateElement[]; expressions?: Node[] }
type TemplateElement = { value: { cooked: string } }

/** Returns the texts below a node, with `x` in place of the parts that are put in. */
function textsBelow(node: unknown): string[] {
  if (Array.isArray(node)) return node.flatMap(textsBelow)
  if (typeof node !== 'object' || node === null) return []
  const { type, value, quasis = [], expressions = [] } = node as Node
  if (type === 'Literal' && typeof value === 'string') return [value]
  const put = expressions.map(({ name }) => (name === 'READS_FIRST' ? READS_FIRST : 'x'))
  const own = quasis.map((part, i) => part.value.cooked + (put[i] ?? '')).join('')
  return [own, ...Object.values(node).flatMap(textsBelow)]
}

const statementsIn = (path: string): string[] =>
  textsBelow(parse(path).program)
    .map((text) => text.trim())
    .filter((text) => /^(with|insert into|update|delete from)\s/i.test(text))

test('every written statement of the source has the forms that Citus takes', () => {
  const statements = filesIn('src', /(?<!\.test)\.ts$/).flatMap((path) =>
    statementsIn(path).map((text) => ({ path, text })),
  )
  expect(statements.length, 'statements').toBeGreaterThan(300)
  const found = statements.flatMap(({ path, text }) =>
    brokenRules(text).map((rule) => ({ path, rule, text })),
  )
  expect([...new Set(found.map(({ path }) => path))].sort()).toEqual(Object.keys(OTHER_FORMS).sort())
})

describe('the rules', () => {
  test.each([
    ['with a as (select 1 as x) insert into t (x) select x from a', 'an insertion reads no other part'],
    [
      'with a as (insert into t (x) values ($1) returning x) update u set x = a.x from a',
      'beside an insertion in a part, the statement reads nothing else',
    ],
    [
      'with a as (select id from t where pg_try_advisory_xact_lock(1)) update t set x = 1 from a where t.id = a.id',
      'an update or deletion has no other part that inserts or is volatile',
    ],
    ['with a as (delete from t) insert into u (x) values ($1)', 'an insertion has no other part that writes'],
    [
      'insert into t as k (id, n) select $1, 1 on conflict (id) do update set n = k.n + 1 where k.n < $2',
      'ON CONFLICT after a query has no parameter, subquery, subscript, or interval',
    ],
    [
      "update t set at = t.at + $1 * interval '1 second'",
      'an update calls only immutable functions, such as after_ms',
    ],
    [
      "update t set data = data || jsonb_build_object('id', t.id)",
      'an update calls only immutable functions, such as after_ms',
    ],
    ['update t set token = gen_random_uuid()', 'an update calls only immutable functions, such as after_ms'],
    ['update t set x = 1 returning extract(epoch from at)', 'RETURNING of a written part has no extract()'],
    [
      "insert into t (x) select jsonb_build_object('id', id) from u where id = $1",
      'an insertion that reads a table and calls a stable function reads first (READS_FIRST)',
    ],
  ])('find %s', (statement, rule) => {
    expect(brokenRules(statement)).toContain(rule)
  })

  test.each([
    'with a as (update t set x = 1 returning id) select count(*) from a join u on u.id = a.id',
    'with a as (insert into t (x) select * from unnest($1::int[]) returning x) select count(*) from a',
    'insert into t (id, n) values ($1, $2) on conflict (id) do update set n = $3',
    "update t set at = after_ms(t.at, $1) where id in (select id from u where u.at < now() - interval '1 day')",
    "insert into t (x) select jsonb_build_object('id', id) from unnest($1::uuid[]) as n (id)",
    "insert into t (x) select jsonb_build_object('id', id) from u where random() >= 0",
  ])('accept %s', (statement) => {
    expect(brokenRules(statement)).toEqual([])
  })
})

describe('functions in the database', () => {
  type Routine = { name: string; language: string; source: string; rows: string[]; names: string[] }
  let database: TestDatabase
  let routines: Routine[]
  let tables: string[]
  let columns: Map<string, string[]>

  beforeAll(async () => {
    database = await createTestDatabase()
    ;[routines, tables, columns] = await onDatabase(database.url, async (client) => [
      (
        await client.query<Routine>(
          `select p.proname as name, l.lanname as language, p.prosrc as source,
                  array(select distinct coalesce(t.tgoldtable, t.tgnewtable)::text from pg_trigger t
                        where t.tgfoid = p.oid and coalesce(t.tgoldtable, t.tgnewtable) is not null) as rows,
                  coalesce(p.proargnames, '{}') as names
           from pg_proc p join pg_language l on l.oid = p.prolang
           where p.pronamespace = current_schema()::regnamespace and l.lanname in ('sql', 'plpgsql')
             and not exists (select from pg_depend e where e.objid = p.oid and e.deptype = 'e')`,
        )
      ).rows,
      (
        await client.query<{ name: string }>(
          `select relname::text as name from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
        )
      ).rows.map(({ name }) => name),
      new Map(
        (
          await client.query<{ name: string; columns: string[] }>(
            `select c.relname::text as name, array_agg(a.attname::text) as columns
             from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
             where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') group by c.relname`,
          )
        ).rows.map((row) => [row.name, row.columns]),
      ),
    ])
  })
  afterAll(() => database?.drop())

  /** Returns the columns of all tables that a statement reads or writes. */
  const columnsOf = (text: string): Set<string> =>
    new Set(
      [...columns].flatMap(([table, names]) =>
        new RegExp(`\\b(?:from|join|using|into|update|,)\\s+${table}\\b`, 'i').test(text) ? names : [],
      ),
    )

  /** The statements of a body, also those in the texts of `execute`. */
  const statementsIn = (source: string): string[] =>
    source
      .replaceAll(/--[^\n]*/g, '')
      .split(/;|\bthen\b|\bloop\b|\bbegin\b|\$query\$/)
      .map((text) =>
        (/^\s*(?:for \w+ in )?execute\s+(?:format\()?\s*'((?:[^']|'')*)'/i.exec(text)?.[1] ?? text).trim(),
      )

  const readsFrom = (text: string, name: string): boolean =>
    new RegExp(`\\b(?:from|join|using)\\s+${name}\\b(?!\\s*\\()`, 'i').test(text)

  test('no statement of a trigger reads its rows together with a table, or writes them', () => {
    const found = routines.flatMap(({ name, source, rows }) =>
      statementsIn(source)
        .filter((text) => rows.some((row) => readsFrom(text, row)))
        .filter(
          (text) =>
            /\b(?:insert into|update|delete from)\b/i.test(text) ||
            tables.some((table) => readsFrom(text, table)),
        )
        .map((text) => `${name}: ${text.trim().slice(0, 100)}`),
    )
    expect(found).toEqual([])
    expect(routines.filter(({ rows }) => rows.length > 0).length, 'triggers with rows').toBeGreaterThan(30)
  })

  test('their statements have the forms of other statements', () => {
    const found = routines.flatMap(({ name, source }) =>
      statementsIn(source).flatMap((text) =>
        brokenRules(text).map((rule) => `${name}: ${rule}: ${text.trim().slice(0, 100)}`),
      ),
    )
    expect(found).toEqual([])
  })

  test('no statement that writes has a subscript with a variable', () => {
    const found = routines
      .filter(({ language }) => language === 'plpgsql')
      .flatMap(({ name, source }) =>
        statementsIn(source)
          .filter((text) => /\b(?:insert into|update|delete from)\b/i.test(text))
          .filter((text) => /(?<!\barray)\[(?!\])[a-z_]|\btg_argv\[/i.test(text))
          .map((text) => `${name}: ${text.slice(0, 100)}`),
      )
    expect(found).toEqual([])
  })

  test('no parameter or variable has the name of a column that a statement may mean', () => {
    const found = routines
      .filter(
        ({ language, source }) => language === 'plpgsql' && !source.includes('#variable_conflict use_column'),
      )
      .flatMap(({ name, source, names }) => {
        const declared = /\bdeclare\b([\s\S]*?)\bbegin\b/i.exec(source)?.[1] ?? ''
        const variables = [...declared.matchAll(/^\s*(\w+)\s+[\w.]/gm)].map(([, variable]) => variable!)
        return statementsIn(source).flatMap((text) =>
          [...names, ...variables]
            .filter((variable) => new RegExp(`(?<![.\\w])${variable}(?![\\w(])`).test(text))
            .filter((variable) => columnsOf(text).has(variable))
            .map((variable) => `${name}: ${variable}: ${text.slice(0, 80)}`),
        )
      })
    expect(found).toEqual([])
  })

  test('none of a constraint or an index calls another: moved rows are written without the search path of the cell', async () => {
    const used = await onDatabase(database.url, async (client) => {
      const { rows } = await client.query<{ name: string }>(
        `select distinct p.proname as name from pg_proc p join pg_depend d on d.refobjid = p.oid
         where p.pronamespace = current_schema()::regnamespace and d.refclassid = 'pg_proc'::regclass
           and d.classid in ('pg_constraint'::regclass, 'pg_class'::regclass)`,
      )
      return rows.map(({ name }) => name)
    })
    // The constraint of a distributed cell.
    const found = routines
      .filter(({ name }) => [...used, 'is_tenant_write'].includes(name))
      .flatMap(({ name, source }) =>
        routines
          .filter((other) => other.name !== name && new RegExp(`\\b${other.name}\\s*\\(`).test(source))
          .map((other) => `${name} calls ${other.name}`),
      )
    expect(found).toEqual([])
  })

  test('none in SQL reads a table: Citus does not know the values of its parameters', () => {
    const found = routines.filter(
      ({ language, source }) => language === 'sql' && tables.some((table) => readsFrom(source, table)),
    )
    expect(found.map(({ name }) => name)).toEqual([])
  })
})

describe('statements of the service', () => {
  let database: TestDatabase
  let recorder: Awaited<ReturnType<typeof recordStatements>>
  let parley: TestParley

  beforeAll(async () => {
    database = await createTestDatabase()
    recorder = await recordStatements(database.url)
    parley = await boot({ ...ARRANGING, databaseUrl: recorder.url })
  })
  afterAll(async () => {
    await parley?.close()
    await recorder?.close()
    await database?.drop()
  })

  /** Makes what follows from merges, erasures, and the passing of days. */
  async function passDays(shop: TestWorkspace): Promise<void> {
    const phones = [newPhone(), newPhone()]
    for (const phone of phones) {
      await shop.inbound(phone, 'Is the blue one in stock?')
      await shop.post('/leads', { phone, name: 'Asha Rao' })
    }
    const [kept, other] = (await shop.get('/contacts')).body.contacts
    await shop.post(`/contacts/${kept.id}/merge`, { from: other.id })
    await shop.advance(60)
    await shop.delete(`/contacts/${kept.id}`)
    await shop.advance(25 * 3_600)
  }

  test('every request, and the work that follows, has the forms that Citus takes', async () => {
    for (const value of KEYED) {
      const shop = await parley.workspace({ sandbox: true })
      await ask(shop, value, await arrange(value, shop))
    }
    await passDays(await parley.workspace({ sandbox: true }))
    const statements = [...recorder.statements]
    expect(statements.length, 'recorded statements').toBeGreaterThan(500)
    const found = statements.flatMap((text) =>
      brokenRules(text).map((rule) => `${rule}: ${text.replaceAll(/\s+/g, ' ').slice(0, 200)}`),
    )
    expect(found).toEqual([])
  })
})
