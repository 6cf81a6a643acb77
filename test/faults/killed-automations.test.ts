/** kill -9 while automations act: no step is repeated, and none is lost. */
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { automate, newPhone } from '../support/automations.ts'
import { clientOf } from '../support/boot.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { killableInstallation } from '../support/killable-installation.ts'
import { newShop } from '../support/load.ts'
import { makeReceivers } from '../support/receiver.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { storeTemplate } from '../support/templates.ts'
import { until } from '../support/until.ts'

const LEADS = 10
const KILLS = 4
/** The actions of each run, and how often each must exist for each lead. */
const NOTES = ['first', 'second', 'last']

let receivers: Awaited<ReturnType<typeof makeReceivers>>
beforeAll(async () => {
  receivers = await makeReceivers()
})
afterAll(() => receivers?.close())
const installation = killableInstallation(() => receivers.env)

test(
  'killed after any action, no action repeats, and the remaining actions are done',
  async () => {
    const random = randomFrom(seedOf('killed automations'))
    const server = await installation.start()
    const { admin } = server
    const { workspaceId, apiKey } = await newShop(admin, { sandbox: true })
    const client = clientOf(server.url, apiKey)
    await storeTemplate(admin, { workspaceId }, { components: [{ type: 'BODY', text: 'Welcome' }] })
    const [template] = (await client.get('/templates')).body.templates
    const receiver = await receivers.open()
    const { id } = await automate(client, {
      trigger: { event: 'lead.created' },
      actions: [
        { type: 'add_note', text: NOTES[0], on: 'lead' },
        { type: 'send_template', templateId: template.id },
        { type: 'create_task', dueInMinutes: 60 },
        { type: 'add_note', text: NOTES[1], on: 'lead' },
        { type: 'call_webhook', url: receiver.url },
        { type: 'set_stage', stage: 'Contacted' },
        { type: 'add_note', text: NOTES[2], on: 'lead' },
      ],
    })
    const recoveriesMs: number[] = []
    const created = new Set<string>()
    const open = () =>
      admin.query<{ count: number }>(
        `select ((select count(*) from automation_starts where workspace_id = $1)
           + (select count(*) from automation_runs where workspace_id = $1 and finished_at is null))::int as count`,
        [workspaceId],
      )
    for (const _ of roundsOf(1)) {
      const own = Array.from({ length: LEADS }, () => newPhone())
      const makeAll = () =>
        Promise.all(
          own.map(async (phone) => {
            const answer = await client
              .post('/leads', { phone }, { idempotencyKey: `key ${phone}` })
              .catch(() => undefined)
            if (answer && answer.status < 300) created.add(phone)
          }),
        )
      for (let kill = 0; kill < KILLS; kill++) {
        const creating = makeAll()
        await wait(random() * 250)
        await server.kill()
        await creating
        // Moves the leases as if their time had passed, so that those of the dead process have expired.
        await admin.query('update jobs set leased_until = null')
        await server.restart()
      }
      const killedAt = performance.now()
      await until(async () => {
        await makeAll()
        return own.every((phone) => created.has(phone))
      }, 'all leads exist')
      await until(async () => (await open())[0]!.count === 0, 'all runs are over', 120_000)
      recoveriesMs.push(Math.round(performance.now() - killedAt))
    }
    const counted = await admin.query<{ of: string; count: number }>(
      `select body as of, count(*)::int as count from (
         select lead_id, data ->> 'body' as body from lead_timeline where workspace_id = $1 and kind = 'note'
       ) n group by 1
       union all select 'runs', count(*)::int from automation_runs where workspace_id = $1 and automation_id = $2 and status = 'done'
       union all select 'messages', count(*)::int from messages where workspace_id = $1 and direction = 'outbound'
       union all select 'reached', count(distinct contact_id)::int from messages where workspace_id = $1 and direction = 'outbound'
       union all select 'tasks', count(*)::int from tasks where workspace_id = $1
       union all select 'doubled notes', count(*)::int from (
         select 1 from lead_timeline where workspace_id = $1 and kind = 'note' group by lead_id, data ->> 'body' having count(*) > 1) d
       union all select 'moved', count(*)::int from events where workspace_id = $1 and name = 'lead.stage_changed'`,
      [workspaceId, id],
    )
    const figures = Object.fromEntries(counted.map(({ of, count }) => [of, count]))
    const leadCount = created.size
    const calls = new Set(receiver.received.map(({ headers }) => headers['idempotency-key'])).size
    expect({ ...figures, calls }).toEqual({
      ...Object.fromEntries(NOTES.map((note) => [note, leadCount])),
      runs: leadCount,
      messages: leadCount,
      reached: leadCount,
      tasks: leadCount,
      'doubled notes': 0,
      moved: leadCount,
      calls: leadCount,
    })
    recordFigures({
      rows: '1, 2, 9',
      fault: 'kill -9 while automations act',
      rounds: recoveriesMs.length,
      kills: recoveriesMs.length * KILLS,
      accepted: leadCount,
      lost: leadCount - figures.runs!,
      doubled: figures['doubled notes']! + figures.messages! - figures.reached!,
      recoveriesMs,
    })
  },
  timeFor(240_000),
)
