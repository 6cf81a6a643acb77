/** What one customer writes is told and stored in the order in which it came (spec 6.3), whoever works on it. */
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { newId } from '../../src/core/ids.ts'
import { claimDueUpdates, insertPost, insertUpdates } from '../../src/modules/messages/update-queries.ts'
import { asciiJson } from '../../src/operator/webhook-signature.ts'
import { type Body, boot, type TestParley, type TestWorkspace } from '../support/boot.ts'
import { type ConnectedNumber, connectNumber } from '../support/operator-webhooks.ts'
import { eventsOf } from '../support/records.ts'
import { until } from '../support/until.ts'

let parley: TestParley
let twin: TestParley
let shop: TestWorkspace
let number: ConnectedNumber
beforeAll(async () => {
  parley = await boot()
  twin = await boot({ databaseUrl: parley.databaseUrl })
  shop = await parley.workspace()
  number = await connectNumber(parley, shop)
})
afterAll(async () => {
  await twin.close()
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
const says = (from: string, body: string) => ({ field: 'messages', value: { messages: [text(from, body)] } })

/** What was told of customers' messages, by number and text, oldest first. */
const toldOf = async (of: TestWorkspace, from: string): Promise<string[]> =>
  (await eventsOf(parley, of.workspaceId))
    .filter(({ name, data }) => name === 'message.received' && (data as Body).contact.phone === `+${from}`)
    .map(({ data }) => (data as Body).content.body)
/** The same as the chat shows it. */
const listed = async (of: TestWorkspace, from: string): Promise<string[]> => {
  const { contact } = (await of.get(`/contacts/${from}`)).body
  const { messages } = (await of.get('/messages?limit=100')).body
  return messages
    .filter((message: Body) => message.contactId === contact.id)
    .map(({ content }: Body) => content.body)
    .toReversed()
}

const untilTold = (from: string, ...bodies: string[]) =>
  until(
    async () => {
      const told = await toldOf(shop, from)
      if (told.length >= bodies.length) expect(told).toEqual(bodies)
      return told.length >= bodies.length
    },
    `${bodies.join()} are told`,
    9_000,
  )

test('messages of one customer are told in the order in which they came, while others overtake them', async () => {
  await number.post(bodyOf(says(RAVI, 'Hello')))
  await untilTold(RAVI, 'Hello')
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  onTestFinished(() => release())
  // Changed ids are applied before messages: whoever has both in hand is held up by the contact.
  const holding = parley.system(async (tx) => {
    await tx.sql('select from contacts where workspace_id = $1 for update', [shop.workspaceId])
    await released
  })
  const user_id = { previous: 'IN.1', current: 'IN.2' }
  const change = { field: 'user_id_update', value: { user_id_update: [{ wa_id: RAVI, user_id, timestamp }] } }
  await number.post(bodyOf(change, says(ASHA, 'First')))
  await until(async () => {
    const [row] = await parley.system((tx) =>
      tx.sql<{ all: boolean }>(
        'select count(*) = 2 as all from operator_updates where workspace_id = $1 and leased_until is not null',
        [shop.workspaceId],
      ),
    )
    return row!.all
  }, 'one process has them in hand')
  for (const body of ['Second', 'Third']) await number.post(bodyOf(says(ASHA, body)))
  await number.post(bodyOf(says(MEERA, 'I am another')))
  await untilTold(MEERA, 'I am another')
  expect(await toldOf(shop, ASHA)).toEqual([])
  release()
  await holding
  await untilTold(ASHA, 'First', 'Second', 'Third')
  expect(await listed(shop, ASHA)).toEqual(['First', 'Second', 'Third'])
})

test('messages that come after a big body wait until it is split', async () => {
  const from = '919812345674'
  const held = { leasedUntil: new Date(Date.now() + 3_600_000) }
  const now = new Date()
  await parley.system(async (tx) => {
    const id = newId()
    const raw = Buffer.from(asciiJson(bodyOf(says(from, 'In the big one'), says(from, 'The next in it'))))
    const signers = [number.phoneNumberId]
    await insertPost(tx.sql, { workspaceId: shop.workspaceId, id, raw, signers, runAt: now, receivedAt: now })
    // In the hands of a process that does nothing about it.
    await tx.sql('update operator_updates set run_at = $2, leased_until = $2 where id = $1', [
      id,
      held.leasedUntil,
    ])
  })
  await number.post(bodyOf(says(from, 'After it')))
  const echo = { ...text('', 'Typed'), to: MEERA, from: number.displayNumber }
  await number.post(bodyOf({ field: 'smb_message_echoes', value: { message_echoes: [echo] } }))
  await until(async () => (await shop.get(`/messages/${echo.id}`)).status === 200, 'later news are known')
  expect(await toldOf(shop, from)).toEqual([])
  await parley.system((tx) =>
    tx.sql('update operator_updates set run_at = $2 where run_at = $1', [held.leasedUntil, now]),
  )
  await untilTold(from, 'In the big one', 'The next in it', 'After it')
  expect(await listed(shop, from)).toEqual(['In the big one', 'The next in it', 'After it'])
})

test('messages of several people in one change are stored where they came, under the names of their writers', async () => {
  const [anu, ben] = ['919812345675', '919812345676'] as const
  const value = {
    contacts: [
      { wa_id: ben, profile: { name: 'Ben' } },
      { wa_id: anu, profile: { name: 'Anu' } },
    ],
    messages: [text(anu, '1'), text(ben, 'a'), text(anu, '2'), text(ben, 'b')],
  }
  await number.post(bodyOf({ field: 'messages', value }, says(ben, 'c'), says(anu, '3')))
  await untilTold(anu, '1', '2', '3')
  await untilTold(ben, 'a', 'b', 'c')
  expect([await listed(shop, anu), await listed(shop, ben)]).toEqual([
    ['1', '2', '3'],
    ['a', 'b', 'c'],
  ])
  const all = (await shop.get('/messages?limit=6')).body.messages.map(({ text }: Body) => text)
  expect(all.toReversed()).toEqual(['1', 'a', '2', 'b', 'c', '3'])
  for (const [phone, name] of [
    [anu, 'Anu'],
    [ben, 'Ben'],
  ] as const)
    expect((await shop.get(`/contacts/${phone}`)).body.contact.displayName).toBe(name)
})

test('a message that cannot be applied keeps its place for a moment, and holds nobody up for long', async () => {
  const sandbox = await parley.workspace({ sandbox: true })
  const write = async (from: string, body: string) =>
    expect((await sandbox.post('/sandbox/inbound', { from, text: body })).status).toBe(202)
  await parley.system((tx) =>
    tx.sql(`alter table messages add constraint no_poison check (content ->> 'body' <> 'poison') not valid`),
  )
  await write(ASHA, 'poison')
  await write(ASHA, 'after it')
  await write(RAVI, 'from another')
  await sandbox.advance(1)
  expect([await toldOf(sandbox, ASHA), await toldOf(sandbox, RAVI)]).toEqual([[], ['from another']])
  await sandbox.advance(10)
  expect(await toldOf(sandbox, ASHA)).toEqual(['after it'])
  await parley.system((tx) => tx.sql('alter table messages drop constraint no_poison'))
  await sandbox.advance(60)
  expect(await toldOf(sandbox, ASHA)).toEqual(['after it', 'poison'])
  expect(await listed(sandbox, ASHA)).toEqual(['poison', 'after it'])
})

/** What one customer wrote and nobody has applied; `runAt` of each by its place. */
const waiting = (written: number, runAt: (place: number) => Date) => {
  const begun = Date.now() - written
  return Array.from({ length: written }, (_, place) => ({
    workspaceId: shop.workspaceId,
    id: newId(),
    phoneNumberId: number.phoneNumberId,
    sender: MEERA,
    reference: null,
    body: { field: 'messages', value: {} },
    receivedAt: new Date(begun + place),
    runAt: runAt(place),
  }))
}
const untold = new Error('nothing of this is kept')

test('what one customer wrote is passed over cheaply, however much it is, while the first of it is in the hands of another', async () => {
  const written = 5_000
  const now = new Date()
  const leaseUntil = new Date(now.getTime() + 12_000)
  let pages = 0
  const tried = parley.system(async (tx) => {
    await insertUpdates(
      tx.sql,
      waiting(written, (place) => (place === 0 ? leaseUntil : now)),
    )
    await tx.sql('analyze operator_updates')
    const explained = async (text: string, parameters: unknown[] = []): Promise<never[]> => {
      const [row] = await tx.sql<object>(`explain (analyze, buffers, format json) ${text}`, parameters)
      const [{ Plan: plan }] = Object.values(row!)[0]
      pages = plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
      return []
    }
    await claimDueUpdates(explained, { now, leaseUntil, limit: 200, workspaceId: undefined })
    throw untold
  })
  await expect(tried).rejects.toBe(untold)
  expect(pages).toBeGreaterThan(0)
  expect(pages).toBeLessThan(2 * written)
})

test('what a process had in hand when it died is taken up, however much the same customer wrote since', async () => {
  const now = new Date()
  const since = new Date(now.getTime() - 12_000)
  const rows = waiting(60, (place) => (place < 10 ? now : since))
  let claimed: string[] = []
  const tried = parley.system(async (tx) => {
    await insertUpdates(tx.sql, rows)
    const claim = { now, leaseUntil: new Date(now.getTime() + 12_000), limit: 20, workspaceId: undefined }
    claimed = (await claimDueUpdates(tx.sql, claim)).map(({ id }) => id)
    throw untold
  })
  await expect(tried).rejects.toBe(untold)
  expect(claimed).toEqual(rows.slice(0, 10).map(({ id }) => id))
})
