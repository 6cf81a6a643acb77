import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { clientOf } from '../support/boot.ts'
import { recordFigures, thorough, timeFor } from '../support/fault-run.ts'
import { kill, victimsOf } from '../support/installation-kills.ts'
import { newShop, openAdmin } from '../support/load.ts'
import { eventsOf } from '../support/records.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { type Installation, newInstallation } from '../support/server-process.ts'
import { cloudShop, standInOperator } from '../support/stand-in-operator.ts'
import { storeTemplate } from '../support/templates.ts'
import { until } from '../support/until.ts'

const PEOPLE = 20_000
const KILLS = thorough ? 16 : 8

let operator: Awaited<ReturnType<typeof standInOperator>>
let installation: Installation
beforeAll(async () => {
  operator = await standInOperator()
  installation = await newInstallation(operator.env)
})
afterAll(async () => {
  await installation?.remove()
  await operator?.close()
})

test(
  'kill -9 in the middle of a campaign, of the database too: every recipient gets exactly one message',
  async () => {
    const random = randomFrom(seedOf('killed campaign'))
    let server = await installation.start()
    const admin = openAdmin(installation.databaseUrl())
    const victims = victimsOf(random)
    onTestFinished(async () => {
      await installation.end()
      await admin.close()
    })
    const takenBefore = operator.taken.length
    const shop = await cloudShop({
      system: admin.system,
      workspace: async () => {
        const workspace = await newShop(admin)
        return { ...workspace, ...clientOf(server.url, workspace.apiKey) }
      },
    })
    const { workspaceId, cloudNumberId } = shop
    const now = new Date()
    await admin.query(
      `insert into contacts (workspace_id, id, phone, opt_in_status, created_at, updated_at)
     select $1, ('0197a1b2-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '+9180' || lpad(n::text, 8, '0'),
            case when n % 10 = 0 then 'opted_out' else 'opted_in' end, $2, $2
     from generate_series(1, $3::int) n`,
      [workspaceId, now, PEOPLE],
    )
    await storeTemplate(admin, shop, {
      category: 'MARKETING',
      components: [{ type: 'BODY', text: 'Lights' }],
    })
    const [template] = await admin.query<{ id: string }>('select id from templates where workspace_id = $1', [
      workspaceId,
    ])
    const body = {
      name: 'Lights',
      templateId: template!.id,
      phoneNumberId: cloudNumberId,
      segment: {},
      sendNow: true,
    }
    const response = await shop.post('/broadcasts', body, { idempotencyKey: randomUUID() })
    expect(response.status, response.text).toBe(201)

    const state = async () =>
      (
        await admin.query<{ status: string; recipients: number }>(
          'select status, recipients from broadcasts where workspace_id = $1',
          [workspaceId],
        )
      )[0]!
    for (let round = 1; round <= KILLS; round++) {
      const reached = (PEOPLE * round) / (KILLS + 2)
      await until(async () => (await state()).recipients >= reached, 'the campaign continues')
      await wait(random() * 30)
      server = await kill(victims.next().value, installation, server, () => {})
      await until(
        async () => (await state()).status === 'running',
        'the database answers, and the campaign is still running',
      )
    }
    await until(async () => (await state()).status === 'completed', 'the campaign is completed')

    const opted = PEOPLE / 10
    const [found] = await admin.query<Record<string, number>>(
      `select (select count(*) from broadcast_recipients where workspace_id = $1) as recipients,
            (select count(*) from broadcast_recipients where workspace_id = $1 and state = 'skipped') as skipped,
            (select count(*) from messages where workspace_id = $1) as messages,
            (select count(distinct contact_id) from messages where workspace_id = $1) as people,
            (select count(*) from conversations where workspace_id = $1) as conversations`,
      [workspaceId],
    )
    const queued = PEOPLE - opted
    expect(found).toEqual({
      recipients: PEOPLE,
      skipped: opted,
      messages: queued,
      people: queued,
      conversations: queued,
    })
    const reported = (await eventsOf(admin, workspaceId)).filter(({ name }) => name === 'broadcast.completed')
    expect(reported).toHaveLength(1)
    expect(reported[0]!.data).toMatchObject({ recipients: PEOPLE, totals: { queued, skipped: opted } })
    const restarted = clientOf(server.url, shop.key)
    const { broadcast } = (await restarted.get(`/broadcasts/${response.body.id}`)).body
    expect(broadcast.counts).toMatchObject({ recipients: PEOPLE, queued, skipped: opted, waiting: 0 })
    const twice = operator.taken.slice(takenBefore).map((handover) => handover.body.to)
    expect(new Set(twice).size, 'nobody was written to twice').toBe(twice.length)
    recordFigures({
      rows: '18',
      fault: 'kill -9 amid a campaign',
      rounds: 1,
      kills: KILLS,
      accepted: queued,
      lost: queued - Number(found!.messages),
      doubled: twice.length - new Set(twice).size,
    })
  },
  timeFor(240_000),
)
