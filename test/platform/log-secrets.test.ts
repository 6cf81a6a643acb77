/**
 * Keys, secrets, numbers, and texts of customers are in no log line and in no error answer (spec 5.1; issue
 * 6).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createSealer } from '../../src/core/sealing.ts'
import { loggedError } from '../../src/logging/logged-error.ts'
import { createApiKey } from '../../src/modules/platform/workspaces/operations/api-keys.ts'
import { createWorkspace } from '../../src/modules/platform/workspaces/operations/workspaces.ts'
import { type Answered, type Client, clientOf, SECRET_KEY } from '../support/boot.ts'
import { createTestDatabase, type TestDatabase } from '../support/database.ts'
import { type Admin, openAdmin } from '../support/load.ts'
import { type Installation, newInstallation, type ServerProcess } from '../support/server-process.ts'
import { cloudShop, refuseWith, standInOperator } from '../support/stand-in-operator.ts'
import { until } from '../support/until.ts'

const PHONE = '919876501234'
const FOREIGN = '4479460958'
const NAME = 'Canary Kumari'
const MAIL = 'canary.kumari@example.com'
const TEXT = 'the canary sings at midnight'
const PATH_SECRET = 'canary-path-secret'

let operator: Awaited<ReturnType<typeof standInOperator>>
let database: TestDatabase
let installation: Installation
let admin: Admin
let server: ServerProcess
let shop: Client & { workspaceId: string }
beforeAll(async () => {
  operator = await standInOperator()
  database = await createTestDatabase()
  admin = openAdmin(database.url)
  installation = await newInstallation({
    ...operator.env,
    DATABASE_URL: database.url,
    LOG_LEVEL: 'info',
    PARLEY_EGRESS_ALLOW: '127.0.0.0/8',
  })
  server = await installation.start()
})
afterAll(async () => {
  await installation?.remove()
  await operator?.close()
  await admin?.close()
  await database?.drop()
})

/** Makes every statement that writes to `table` fail with an error that quotes its values. */
const breakTable = async (table: string, statement: string): Promise<void> => {
  await admin.query(
    `create function break_${table}() returns trigger language plpgsql as $$ begin ${statement} end $$`,
  )
  await admin.query(
    `create trigger broken before insert on ${table} for each row execute function break_${table}()`,
  )
}

test('a story of successes, rejections, and faults leaves no trace of a customer or a secret in the log', async () => {
  const cloud = await cloudShop({
    system: admin.system,
    workspace: () =>
      admin.system(async (tx) => {
        const workspace = await createWorkspace(tx, { name: 'Shop' }, new Date(), createSealer(SECRET_KEY))
        const key = await createApiKey(tx, { workspaceId: workspace.workspaceId, role: 'admin' }, new Date())
        return { ...workspace, ...clientOf(server.url, key.apiKey) }
      }),
  })
  shop = cloud
  const answers: Answered[] = []
  const call = async (...call: Parameters<Client['call']>) => {
    const answer = await shop.call(...call)
    answers.push(answer)
    return answer
  }
  const contact = { phone: `+${PHONE}`, displayName: NAME, attributes: { mail: MAIL, note: TEXT } }
  expect((await call('POST', '/contacts', contact)).status).toBe(201)
  const { secret } = (
    await call('POST', '/webhooks', { url: `https://127.0.0.1:9/${PATH_SECRET}?token=${PATH_SECRET}` })
  ).body
  await cloud.writes(`+${PHONE}`, TEXT)
  operator.answer(refuseWith(400, { code: 131026, message: `cannot reach ${PHONE} about ${TEXT}` }))
  expect((await call('POST', '/send', { to: `+${PHONE}`, type: 'text', text: TEXT })).status).toBe(200)
  await call('POST', '/leads', { phone: `+${PHONE}`, name: NAME, email: MAIL, note: TEXT })
  await call('GET', `/contacts/+${PHONE}`)
  await call('GET', `/contacts?search=${NAME.replace(' ', '+')}&phone=%2B${PHONE}`)
  await call('GET', `/nothing/${PHONE}`)
  await call('POST', '/contacts', `{"phone":"+${PHONE}", ${TEXT}`)
  await clientOf(server.url, `${shop.key}x`).get('/me')
  await until(() => operator.taken.length > 0, 'the message was submitted')

  // Errors that quote their values: a constraint, a bad value, a message raised in the database.
  await admin.query(
    `alter table contacts add constraint no_canary check (display_name <> '${NAME} II') not valid`,
  )
  const broken = [await call('POST', '/contacts', { phone: '+919876501235', displayName: `${NAME} II` })]
  await breakTable('quick_replies', `perform new.text::int; return new;`)
  broken.push(await call('POST', '/quick-replies', { shortcut: 'canary', text: TEXT }))
  await breakTable(
    'tags',
    `raise exception 'the tag of % (%) will not do', new.name, '${PHONE}' using detail = new.name;`,
  )
  broken.push(await call('POST', '/tags', { name: NAME }))
  for (const answer of broken)
    expect(answer, answer.text).toMatchObject({ status: 500, body: { error: 'internal_error' } })
  // The database is full: only the log says why requests get 503.
  await breakTable('contact_fields', `raise exception 'could not extend file' using errcode = '53100';`)
  expect((await call('POST', '/contact-fields', { key: 'size', label: 'Size', type: 'text' })).status).toBe(
    503,
  )
  // Background work that fails on a customer's message, alone and in a list.
  await breakTable('messages', `raise exception 'no room for %', new.content using errcode = '22023';`)
  await cloud.operatorSays({
    messages: [
      { from: FOREIGN, id: 'wamid.canary', timestamp: '1760000000', type: 'text', text: { body: TEXT } },
    ],
  })
  await until(
    async () =>
      (await admin.query('select 1 from operator_updates where failed_at is not null or attempts > 0'))
        .length > 0,
    'the update fails',
  )
  expect((await server.end('SIGTERM')).code).toBe(0)

  const log = server.output()
  expect(log.match(/"request"/g)?.length).toBeGreaterThan(10)
  expect(log, 'the faults are in the log').toMatch(/no_canary/)
  expect(log.match(/"request failed"/g)?.length).toBe(4)
  expect(log).toMatch(/"could not extend file","code":"53100"/)
  const canaries = [
    PHONE,
    FOREIGN,
    '919876501235',
    NAME,
    MAIL,
    TEXT,
    PATH_SECRET,
    shop.key,
    secret,
    SECRET_KEY,
  ]
  for (const canary of canaries) {
    const position = log.indexOf(canary)
    expect(position, `${canary} in ${log.slice(Math.max(0, position - 300), position + 100)}`).toBe(-1)
    for (const answer of broken) expect(answer.text).not.toContain(canary)
  }
  for (const { text } of answers.slice(2)) expect(text).not.toContain(secret)
})

describe('an error in the log', () => {
  test.each([
    ['the input that a parser quotes', () => JSON.parse(`{"a": ${TEXT}`)],
    [
      'the password in an address',
      () => {
        throw new Error(`no answer from https://hooks.example/${PATH_SECRET}?x=${PATH_SECRET} for +${PHONE}`)
      },
    ],
    [
      "the secret in an error's cause",
      () => {
        throw new Error('failed', { cause: new Error(`of ${MAIL}, Bearer ${PATH_SECRET}`) })
      },
    ],
    [
      'the secret in one of several errors',
      () => {
        throw new AggregateError([new Error(`+${PHONE}`)], 'failed')
      },
    ],
    [
      'a thrown value that is not an error',
      () => {
        const words: unknown = `+${PHONE}`
        throw words
      },
    ],
  ])('does not contain %s', (_, fails) => {
    let thrown: unknown
    try {
      fails()
    } catch (error) {
      thrown = error
    }
    const text = JSON.stringify(loggedError(thrown))
    for (const canary of [PHONE, NAME, MAIL, 'canary', PATH_SECRET]) expect(text).not.toContain(canary)
  })

  test('keeps its location in the code', () => {
    const logged = loggedError(
      Object.assign(new Error('duplicate key value violates unique constraint "contacts_phone"'), {
        code: '23505',
        severity: 'ERROR',
        table: 'contacts',
        detail: PHONE,
      }),
    )
    expect(logged).toMatchObject({
      code: '23505',
      table: 'contacts',
      message: expect.stringContaining('contacts_phone'),
    })
    expect(logged.stack).toContain('log-secrets.test.ts')
    expect(JSON.stringify(logged)).not.toContain(PHONE)
  })

  test.each(['ECONNREFUSED', '57P01'])(
    'reports in one sentence that the other side is unreachable (%s)',
    (code) => {
      const logged = loggedError(Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code }))
      expect(logged).toEqual({ type: 'Error', message: 'connect ECONNREFUSED 127.0.0.1:5432', code })
    },
  )
})
