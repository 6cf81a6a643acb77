/**
 * A customer's messages are reported and stored in the order in which they arrived (spec 6.3), no matter
 * which process applies them.
 */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { postSplitter } from '../../src/adapters/operator-intake.ts'
import { systemClock } from '../../src/core/clock.ts'
import { dueAt } from '../../src/core/due.ts'
import { newId } from '../../src/core/ids.ts'
import { connectionName } from '../../src/core/values/cell.ts'
import { onDatabase } from '../../src/database/on-database.ts'
import {
  claimDueUpdates,
  listDueWorkspaces,
} from '../../src/modules/messaging/messages/intake/queries/due-updates.ts'
import { insertPosts, insertUpdates } from '../../src/modules/messaging/messages/intake/queries/updates.ts'
import { createDirectory } from '../../src/modules/platform/workspaces/directory.ts'
import { asciiJson, signWebhook } from '../../src/operator/webhook-signature.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { CITUS_URL } from '../support/citus.ts'
import { type ConnectedNumber, connectNumber } from '../support/operator-webhooks.ts'
import { eventsOf } from '../support/records.ts'
import { until } from '../support/until.ts'

let parley: TestParley
let duplicate: TestParley
let shop: TestWorkspace
let number: ConnectedNumber
beforeAll(async () => {
  parley = await boot()
  duplicate = await boot({ databaseUrl: parley.databaseUrl })
  shop = await parley.workspace()
  number = await connectNumber(parley, shop)
})
afterAll(async () => {
  await duplicate.close()
  await parley.close()
})

const [ASHA, RAVI, MEERA] = ['919812345671', '919812345672', '919812345673'] as const
const timestamp = String(Math.floor(Date.now() / 1000))
const text = (from: string, body: string) => ({
  from,
  id: `wamid.${from}.${body}`,
  timestamp,
  type: 'text',
  text: { body },
})
const bodyOf = (...changes: { field: string; value: object }[]) => ({
  entry: [
    {
      id: number.accountId,
      changes: changes.map(({ field, value }) => ({
        field,
        value: { metadata: { phone_number_id: number.operatorId }, ...value },
      })),
    },
  ],
})
const messageFrom = (from: string, body: string) => ({
  field: 'messages',
  value: { messages: [text(from, body)] },
})

/** Returns the reported messages of customers, by number and text, oldest first. */
const reportedOf = async (workspace: TestWorkspace, from: string): Promise<string[]> =>
  (await eventsOf(parley, workspace.workspaceId))
    .filter(({ name, data }) => name === 'message.received' && (data as Body).contact.phone === `+${from}`)
    .map(({ data }) => (data as Body).content.body)
/** Returns the same messages as the chat shows them. */
const listShown = async (workspace: TestWorkspace, from: string): Promise<string[]> => {
  const { contact } = (await workspace.get(`/contacts/${from}`)).body
  const { messages } = (await workspace.get('/messages?limit=100')).body
  return messages
    .filter((message: Body) => message.contactId === contact.id)
    .map(({ content }: Body) => content.body)
    .toReversed()
}

const untilReported = (from: string, ...bodies: string[]) =>
  until(
    async () => {
      const reported = await reportedOf(shop, from)
      if (reported.length >= bodies.length) expect(reported).toEqual(bodies)
      return reported.length >= bodies.length
    },
    `${bodies.join()} are reported`,
    9_000,
  )

/** Returns whether a process has claimed all waiting rows of the workspace. */
const isClaimed = async (waiting: number): Promise<boolean> => {
  const [row] = await parley.system((tx) =>
    tx.sql<{ all: boolean }>(
      `select count(*) = $2 and not exists (
         select from operator_updates where workspace_id = $1 limit 1 for update skip locked) as all
       from operator_updates where workspace_id = $1`,
      [shop.workspaceId, waiting],
    ),
  )
  return row!.all
}

/** Blocks every process that applies a customer's message, until the returned function is called. */
async function blockProcesses(): Promise<() => Promise<void>> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  onTestFinished(() => release())
  let resolveStarted = () => {}
  const started = new Promise<void>((resolve) => {
    resolveStarted = resolve
  })
  const locking = parley.system(async (tx) => {
    await tx.sql('select from contacts where workspace_id = $1 for update', [shop.workspaceId])
    resolveStarted()
    await released
  })
  await started
  return async () => {
    release()
    await locking
  }
}

test("messages of one customer are reported in the order in which they arrived, while other shops' messages pass them", async () => {
  await number.post(bodyOf(messageFrom(ASHA, 'Hello')))
  await untilReported(ASHA, 'Hello')
  const neighbor = await parley.workspace()
  const otherNumber = await connectNumber(parley, neighbor)
  const release = await blockProcesses()
  await number.post(bodyOf(messageFrom(ASHA, 'First')))
  await until(() => isClaimed(1), 'one process works on the body')
  for (const body of ['Second', 'Third']) await number.post(bodyOf(messageFrom(ASHA, body)))
  // A free worker has passed the others too.
  await otherNumber.report('messages', { messages: [text(ASHA, 'I am another')] })
  expect(await reportedOf(neighbor, ASHA)).toEqual(['I am another'])
  expect(await reportedOf(shop, ASHA)).toEqual(['Hello'])
  await release()
  await untilReported(ASHA, 'Hello', 'First', 'Second', 'Third')
  expect(await listShown(shop, ASHA)).toEqual(['Hello', 'First', 'Second', 'Third'])
})

test('the rows that a process had claimed when it died are claimed again immediately, once, and in their place', async () => {
  await number.post(bodyOf(messageFrom(RAVI, 'Hello')))
  await untilReported(RAVI, 'Hello')
  const release = await blockProcesses()
  await number.post(bodyOf(messageFrom(RAVI, 'First')))
  await until(() => isClaimed(1), 'one process works on the body')
  await number.post(bodyOf(messageFrom(RAVI, 'Second')))
  const ended = await parley.system((tx) =>
    tx.sql<{ pid: number }>(
      `select pg_terminate_backend(pid), pid from pg_locks where locktype = 'advisory' and objsubid = 1 and granted
         and pid in (select pid from pg_stat_activity where datname = current_database() and application_name like $1)`,
      [connectionName(parley.databaseUrl, '%')],
    ),
  )
  expect(ended).toHaveLength(1)
  await release()
  await untilReported(RAVI, 'Hello', 'First', 'Second')
  expect(await listShown(shop, RAVI)).toEqual(['Hello', 'First', 'Second'])
})

test('a body with more messages than the operator sends is applied in its place, in parts', async () => {
  const from = '919812345674'
  const now = new Date()
  const unknown = Array.from({ length: 1_001 }, (_, i) => ({
    field: 'messages',
    value: { statuses: [{ id: `wamid.unknown.${i}`, status: 'read', timestamp }] },
  }))
  const posts = [
    [messageFrom(from, 'Before it')],
    [messageFrom(from, 'In it'), ...unknown, messageFrom(from, 'The last in it')],
    [messageFrom(from, 'After it')],
  ]
  await parley.system((tx) =>
    insertPosts(
      tx.sql,
      posts.map((changes) => ({
        workspaceId: shop.workspaceId,
        id: newId(),
        raw: Buffer.from(asciiJson(bodyOf(...changes))),
        signers: [number.phoneNumberId],
        runAt: now,
        receivedAt: now,
      })),
    ),
  )
  const reported = ['Before it', 'In it', 'The last in it', 'After it']
  await untilReported(from, ...reported)
  expect(await listShown(shop, from)).toEqual(reported)
})

test('messages of several customers in one change are stored in their place, under the names of their senders', async () => {
  const [anu, ben] = ['919812345675', '919812345676'] as const
  const value = {
    contacts: [
      { wa_id: ben, profile: { name: 'Ben' } },
      { wa_id: anu, profile: { name: 'Anu' } },
    ],
    messages: [text(anu, '1'), text(ben, 'a'), text(anu, '2'), text(ben, 'b')],
  }
  await number.post(bodyOf({ field: 'messages', value }, messageFrom(ben, 'c'), messageFrom(anu, '3')))
  await untilReported(anu, '1', '2', '3')
  await untilReported(ben, 'a', 'b', 'c')
  expect([await listShown(shop, anu), await listShown(shop, ben)]).toEqual([
    ['1', '2', '3'],
    ['a', 'b', 'c'],
  ])
  const texts = (await shop.get('/messages?limit=6')).body.messages.map(({ text }: Body) => text)
  expect(texts.toReversed()).toEqual(['1', 'a', '2', 'b', 'c', '3'])
  for (const [phone, name] of [
    [anu, 'Anu'],
    [ben, 'Ben'],
  ] as const)
    expect((await shop.get(`/contacts/${phone}`)).body.contact.displayName).toBe(name)
})

test("a message that can't be applied keeps its place for a moment, and delays no other message for long", async () => {
  const sandbox = await parley.workspace({ sandbox: true })
  const write = async (from: string, body: string) =>
    expect((await sandbox.post('/sandbox/inbound', { from, text: body })).status).toBe(202)
  await parley.define((tx) =>
    tx.sql(`alter table messages add constraint no_poison check (content ->> 'body' <> 'poison') not valid`),
  )
  await write(ASHA, 'poison')
  await write(ASHA, 'after it')
  await write(RAVI, 'from another')
  await sandbox.advance(1)
  expect([await reportedOf(sandbox, ASHA), await reportedOf(sandbox, RAVI)]).toEqual([[], ['from another']])
  await sandbox.advance(10)
  expect(await reportedOf(sandbox, ASHA)).toEqual(['after it'])
  await parley.define((tx) => tx.sql('alter table messages drop constraint no_poison'))
  await sandbox.advance(60)
  expect(await reportedOf(sandbox, ASHA)).toEqual(['after it', 'poison'])
  expect(await listShown(sandbox, ASHA)).toEqual(['poison', 'after it'])
})

test("one message of a body that can't be applied delays only its sender", async () => {
  const sandbox = await parley.workspace({ sandbox: true })
  const own = await connectNumber(parley, sandbox)
  const post = (...messages: object[]) =>
    own.post({
      entry: [
        {
          id: own.accountId,
          changes: [
            { field: 'messages', value: { metadata: { phone_number_id: own.operatorId }, messages } },
          ],
        },
      ],
    })
  await parley.define((tx) =>
    tx.sql(`alter table messages add constraint no_poison check (content ->> 'body' <> 'poison') not valid`),
  )
  onTestFinished(async () => {
    await parley.define((tx) => tx.sql('alter table messages drop constraint if exists no_poison'))
  })
  await post(text(ASHA, '1'), text(RAVI, 'a'), text(ASHA, 'poison'), text(RAVI, 'b'), text(ASHA, '3'))
  await post(text(RAVI, 'c'), text(ASHA, '4'), text(MEERA, 'I am another'))
  const listReported = () => Promise.all([ASHA, RAVI, MEERA].map((from) => reportedOf(sandbox, from)))
  await until(async () => (await reportedOf(sandbox, MEERA)).length > 0, 'the last message is reported')
  await post(text(ASHA, '5'))
  await sandbox.advance(1)
  expect(await listReported()).toEqual([['1'], ['a', 'b', 'c'], ['I am another']])
  await parley.define((tx) => tx.sql('alter table messages drop constraint no_poison'))
  await sandbox.advance(5)
  expect((await listReported())[0]).toEqual(['1', 'poison', '3', '4', '5'])
  expect(await listShown(sandbox, ASHA)).toEqual(['1', 'poison', '3', '4', '5'])
})

test("a retried message comes before its sender's later messages, also when both are due at the same time", async () => {
  const [ZOYA, first, second] = ['919812345677', 'tried again', 'written since'] as const
  await parley.define((tx) =>
    tx.sql(
      `alter table messages add constraint no_poison check (content ->> 'body' <> '${first}') not valid`,
    ),
  )
  onTestFinished(async () => {
    await parley.define((tx) => tx.sql('alter table messages drop constraint if exists no_poison'))
  })
  await number.post(bodyOf(messageFrom(ZOYA, first)))
  const findHolding = (run: (text: string, values: unknown[]) => Promise<unknown[]>) =>
    run('select from operator_updates where workspace_id = $1 and holds', [shop.workspaceId])
  await until(
    async () => (await parley.system((tx) => findHolding(tx.sql))).length === 1,
    'another attempt is planned',
  )
  // No process works on it until both are due, as when the service was down for a moment.
  await parley.system(async (tx) => {
    await tx.sql(`select pg_advisory_xact_lock(hashtextextended('updates ' || $1, 0))`, [shop.workspaceId])
    await number.post(bodyOf(messageFrom(ZOYA, second)))
    await tx.sql('update operator_updates set run_at = now() where workspace_id = $1 and holds', [
      shop.workspaceId,
    ])
    await tx.sql('alter table messages drop constraint if exists no_poison')
  })
  await untilReported(ZOYA, first, second)
})

test.each([
  ['is no JSON', () => `{"entry":\0${' '.repeat(128 * 1024)}}`, "The body isn't valid JSON."],
  ...['{"changes":[X]}', '{"changes":[{"value":{"statuses":[X]}}]}'].map(
    (entry) =>
      [
        'has more items than the operator sends',
        () => `{"entry":[${entry.replace('X', Array(1_398_000).fill('{}').join())}]}`,
        'The body has more items than the operator sends.',
      ] as const,
  ),
] as const)(
  'a body that %s is set aside with its error, and delays no other body',
  async (_what, bytesOf, error) => {
    const other = await parley.workspace()
    const otherNumber = await connectNumber(parley, other)
    const bytes = bytesOf()
    const headers = { 'x-hub-signature-256': signWebhook(bytes, otherNumber.appSecret) }
    const { status } = await parley.anonymous.post(`/api/operator/${other.workspaceId}`, bytes, { headers })
    expect(status).toBe(200)
    await number.report('messages', { messages: [text(MEERA, newId())] })
    const listSetAside = () =>
      parley.system((tx) =>
        tx.sql('select last_error from operator_updates where workspace_id = $1 and failed_at is not null', [
          other.workspaceId,
        ]),
      )
    await until(async () => (await listSetAside()).length > 0, 'the body is set aside')
    expect(await listSetAside()).toEqual([{ lastError: error }])
  },
)

test("updates of many workspaces that can't be applied do not delay those of the others", async () => {
  const shops = await Promise.all(Array.from({ length: 12 }, () => parley.workspace({ sandbox: true })))
  await parley.define((tx) =>
    tx.sql(`alter table messages add constraint no_poison check (content ->> 'body' <> 'poison') not valid`),
  )
  onTestFinished(async () => {
    await parley.define((tx) => tx.sql('alter table messages drop constraint if exists no_poison'))
  })
  const answers = await Promise.all(
    shops.map((shop) => shop.post('/sandbox/inbound', { from: ASHA, text: 'poison' })),
  )
  expect(answers.map(({ status }) => status)).toEqual(shops.map(() => 202))
  const untried = await parley.system((tx) =>
    tx.sql('select from operator_updates where workspace_id = any($1::uuid[]) and attempts = 0', [
      shops.map(({ workspaceId }) => workspaceId),
    ]),
  )
  expect(untried).toHaveLength(0)
})

test('a report to a number that was just connected is not lost on a process that has not been notified of the number', async () => {
  const directory = createDirectory(
    (text, values) => parley.system((tx) => tx.sql(text, values)),
    systemClock,
  )
  directory.setListening(true)
  const before = await directory.numbers(shop.workspaceId)
  const late = await connectNumber(parley, shop)
  expect(await directory.numbers(shop.workspaceId), 'it has not heard of it').toEqual(before)
  const value = {
    metadata: { phone_number_id: late.operatorId },
    messages: [text(ASHA, 'To the new number')],
  }
  const others: string[][] = []
  const ofAnother = { metadata: { phone_number_id: '100000000000007' }, messages: [text(ASHA, 'To another')] }
  const entryOf = (body: object) => ({ id: late.accountId, changes: [{ field: 'messages', value: body }] })
  const changes = await postSplitter(directory, (...other) => others.push(other))({
    workspaceId: shop.workspaceId,
    raw: Buffer.from(asciiJson({ entry: [entryOf(value), entryOf(ofAnother), entryOf(ofAnother)] })),
    signers: [late.phoneNumberId],
  })
  expect(changes).toMatchObject([{ phoneNumberId: late.phoneNumberId, body: { value } }])
  expect(others, 'what is said of others is passed over, not silently').toEqual([
    [shop.workspaceId, '100000000000007'],
  ])
})

/** Rows that the parts of a plan read. */
// biome-ignore lint/suspicious/noExplicitAny: as PostgreSQL reports it
const rowsOf = (plan: any): number =>
  plan['Actual Rows'] * plan['Actual Loops'] +
  (plan.Plans ?? []).reduce((sum: number, child: object) => sum + rowsOf(child), 0)

// Citus shows other plans.
test.skipIf(CITUS_URL)(
  'a claim of the next updates reads no more rows than that, for any number of waiting rows, also with a plan made for an empty table',
  async () => {
    const waiting = 5_000
    const now = new Date()
    const rows = Array.from({ length: waiting }, () => ({
      workspaceId: shop.workspaceId,
      id: newId(),
      phoneNumberId: number.phoneNumberId,
      sender: MEERA,
      reference: null,
      body: { field: 'messages', value: {} },
      receivedAt: now,
      runAt: now,
    }))
    const unreported = new Error('nothing of this is kept')
    // After a backlog the indexes are large, and PostgreSQL knows that the table is almost empty.
    const rolledBack = parley.system(async (tx) => {
      await insertUpdates(tx.sql, rows)
      throw unreported
    })
    await expect(rolledBack).rejects.toBe(unreported)
    await onDatabase(parley.databaseUrl, (client) => client.query('vacuum (analyze) operator_updates'))
    let touched = 0
    const claiming = parley.system(async (tx) => {
      const texts: string[] = []
      const recordStatement = async (statement: string): Promise<never[]> => {
        texts.push(statement)
        return []
      }
      await listDueWorkspaces(recordStatement, { now, limit: 200, simulated: true })
      await claimDueUpdates({ ...tx, sql: recordStatement }, { due: dueAt(now), limit: 200 })
      const [listStatement, sortsNothing, claimStatement, sortsAgain] = texts as [
        string,
        string,
        string,
        string,
      ]
      await tx.sql(`prepare list_due (timestamptz, int, boolean) as ${listStatement}`)
      await tx.sql(`prepare claim (timestamptz, int, timestamptz, bigint) as ${claimStatement}`)
      const time = `'${now.toISOString()}'`
      // The role that claims the updates sees only its own workspaces.
      const statements: [role: string, statement: string][] = [
        ['none', `list_due (${time}, 200, true)`],
        ['parley_tenant', `claim (${time}, 200, ${time}, null)`],
      ]
      await tx.sql(`set local parley.workspaces = '${shop.workspaceId}'`)
      await tx.sql(`set local parley.turns = '${shop.workspaceId}'`)
      const runEach = async (explain: string): Promise<object[]> => {
        const reported: object[] = []
        for (const [role, statement] of statements) {
          await tx.sql(`set local role ${role}`)
          if (statement.startsWith('claim')) await tx.sql(sortsNothing)
          reported.push(...(await tx.sql<object>(`${explain} execute ${statement}`)))
          await tx.sql(sortsAgain)
        }
        return reported
      }
      await runEach('explain (format json)')
      await insertUpdates(tx.sql, rows)
      for (const row of await runEach('explain (analyze, format json)')) {
        const [{ Plan: plan }] = Object.values(row)[0]
        touched += rowsOf(plan)
      }
      await tx.sql('deallocate list_due')
      await tx.sql('deallocate claim')
      throw unreported
    })
    await expect(claiming).rejects.toBe(unreported)
    expect(touched).toBeGreaterThan(200)
    expect(touched).toBeLessThan(waiting)
  },
)
