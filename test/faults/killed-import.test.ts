import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { recordFigures, thorough, timeFor } from '../support/fault-run.ts'
import { importLeads, ownerHeaders } from '../support/imports.ts'
import { killableInstallation } from '../support/killable-installation.ts'
import { newShop } from '../support/load.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { until } from '../support/until.ts'

const installation = killableInstallation()

const ROWS = thorough ? 20_000 : 4_000
const KILLS = thorough ? 8 : 2

test(
  'kill -9 in the middle of an import: each row is imported once, with one event',
  async () => {
    const random = randomFrom(seedOf('killed import'))
    const server = await installation.start()
    const { admin } = server
    const shop = await newShop(admin)
    const phones = Array.from({ length: ROWS }, (_, n) => `+9180${String(n).padStart(8, '0')}`)
    const { id } = await importLeads(server.url, await ownerHeaders(admin, server.url, shop), phones)

    const state = async () =>
      (
        await admin.query<{ state: string; done: number; created: number; updated: number; refused: number }>(
          'select state, done, created, updated, refused from import_files where id = $1',
          [id],
        )
      )[0]!
    for (let kill = 1; kill <= KILLS; kill++) {
      await until(async () => (await state()).done >= (ROWS * kill) / (KILLS + 2), 'the import continues')
      await wait(random() * 40)
      await server.kill()
      expect((await state()).state).toBe('running')
      await server.restart()
    }
    await until(async () => (await state()).state === 'done', 'the import is done')
    expect(await state()).toMatchObject({ done: ROWS, created: ROWS, updated: 0, refused: 0 })
    const [found] = await admin.query<Record<string, number>>(
      `select (select count(*) from contacts where workspace_id = $1) as contacts,
              (select count(*) from leads where workspace_id = $1 and capture_count = 1) as leads,
              (select count(*) from lead_timeline where workspace_id = $1) as entries,
              (select count(*) from events where workspace_id = $1 and name = 'lead.created') as events,
              (select count(*) from import_rows where workspace_id = $1) as left`,
      [shop.workspaceId],
    )
    expect(found).toEqual({ contacts: ROWS, leads: ROWS, entries: ROWS, events: ROWS, left: 0 })
    recordFigures({
      rows: '18',
      fault: 'kill -9 amid an import',
      rounds: 1,
      kills: KILLS,
      accepted: ROWS,
      lost: ROWS - Number(found!.leads),
      doubled: Number(found!.events) - ROWS,
    })
  },
  timeFor(180_000),
)
