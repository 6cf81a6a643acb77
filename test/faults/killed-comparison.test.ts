/** kill -9 while a campaign decides which template the rest of its audience gets. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { clientOf } from '../support/boot.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { killableInstallation } from '../support/killable-installation.ts'
import { newShop } from '../support/load.ts'
import { eventsOf } from '../support/records.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { storeTemplate } from '../support/templates.ts'
import { until } from '../support/until.ts'

const installation = killableInstallation()

const PEOPLE = 60

test(
  'killed while it decides, a campaign decides once, and each recipient gets exactly one message',
  async () => {
    const random = randomFrom(seedOf('killed comparison'))
    const server = await installation.start()
    const { admin } = server
    const { workspaceId, apiKey } = await newShop(admin, { sandbox: true })
    const client = clientOf(server.url, apiKey)
    const texts = { A: 'Lights', B: 'Lamps' }
    for (const [name, text] of Object.entries(texts))
      await storeTemplate(
        admin,
        { workspaceId },
        { name: name.toLowerCase(), components: [{ type: 'BODY', text }] },
      )
    const { templates } = (await client.get('/templates')).body
    const templateOf = (name: string) =>
      templates.find((template: { name: string }) => template.name === name).id
    await admin.query(
      `insert into contacts (workspace_id, id, phone, opt_in_status, created_at, updated_at)
       select $1, ('0197a1b2-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '+9180' || lpad(n::text, 8, '0'),
              'opted_in', $2, $2 from generate_series(1, $3::int) n`,
      [workspaceId, new Date(), PEOPLE],
    )
    const { phoneNumbers } = (await client.get('/phone-numbers')).body
    const stateOf = async (id: string) =>
      (
        await admin.query<{ status: string; testPhase: string; winner: number | null }>(
          'select status, test_phase, winner from broadcasts where workspace_id = $1 and id = $2',
          [workspaceId, id],
        )
      )[0]!
    const recoveriesMs: number[] = []
    for (const round of roundsOf(6)) {
      const created = await client.post(
        '/broadcasts',
        {
          name: `Round ${round}`,
          phoneNumberId: phoneNumbers[0].id,
          segment: {},
          variants: [{ templateId: templateOf('a') }, { templateId: templateOf('b') }],
          test: { samplePercent: 40, decideBy: 'replied', waitMinutes: 15 },
          sendNow: true,
        },
        { idempotencyKey: `round ${round}` },
      )
      expect(created.status, created.text).toBe(201)
      const { id } = created.body
      await until(async () => {
        // As if the minute had passed after which a campaign looks again.
        await admin.query(
          `update broadcasts set run_at = $3 where workspace_id = $1 and id = $2 and test_phase = 'sample' and run_at > $3`,
          [workspaceId, id, new Date()],
        )
        return (await stateOf(id)).testPhase === 'measure'
      }, 'the sample is sent')
      // As if the time of the decision had come.
      await admin.query(
        `update broadcasts set decides_at = $3, run_at = $3 where workspace_id = $1 and id = $2`,
        [workspaceId, id, new Date(Date.now() - 1_000)],
      )
      // An admin decides at the same time.
      const choosing = client
        .post(`/broadcasts/${id}/choose`, { variant: 'B' }, { idempotencyKey: `choice ${round}` })
        .catch(() => undefined)
      await wait(random() * 40)
      const killedAt = performance.now()
      await server.kill()
      await choosing
      await server.restart()
      await until(async () => (await stateOf(id)).status === 'completed', 'the campaign is completed', 60_000)
      recoveriesMs.push(Math.round(performance.now() - killedAt))
      const { winner } = await stateOf(id)
      const chosen = (await eventsOf(admin, workspaceId)).filter(
        ({ name, data }) => name === 'broadcast.variant_chosen' && data.broadcastId === id,
      )
      expect(chosen.map(({ data }) => data.variant)).toEqual(['AB'[winner! - 1]])
      const sent = await admin.query<{ variant: number | null; text: string }>(
        `select r.variant, m.template_text as text from broadcast_recipients r
         join messages m on m.workspace_id = r.workspace_id and m.broadcast_id = r.broadcast_id and m.contact_id = r.contact_id
         where r.workspace_id = $1 and r.broadcast_id = $2`,
        [workspaceId, id],
      )
      expect(sent).toHaveLength(PEOPLE)
      for (const { variant, text } of sent) expect(text).toBe(Object.values(texts)[(variant ?? winner!) - 1])
    }
    recordFigures({
      rows: '18',
      fault: 'kill -9 while a campaign chooses a template',
      rounds: recoveriesMs.length,
      kills: recoveriesMs.length,
      accepted: recoveriesMs.length * PEOPLE,
      lost: 0,
      doubled: 0,
      recoveriesMs,
    })
  },
  timeFor(240_000),
)
