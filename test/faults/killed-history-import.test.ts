import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { clientOf } from '../support/boot.ts'
import { recordFigures, thorough, timeFor } from '../support/fault-run.ts'
import { ownerHeaders } from '../support/imports.ts'
import { killableInstallation } from '../support/killable-installation.ts'
import { newShop } from '../support/load.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { until } from '../support/until.ts'

const installation = killableInstallation()

const MESSAGES = thorough ? 50_000 : 6_000
const KILLS = thorough ? 8 : 2

test(
  'kill -9 in the middle of an import of past messages: each message is stored once, and nothing is reported',
  async () => {
    const random = randomFrom(seedOf('killed history import'))
    const server = await installation.start()
    const { admin } = server
    const shop = await newShop(admin, { sandbox: true, plan: 'unlimited' })
    const lines = Array.from({ length: MESSAGES }, (_, n) =>
      JSON.stringify({
        phone: `+9180${String(n % 300).padStart(8, '0')}`,
        direction: n % 2 === 0 ? 'inbound' : 'outbound',
        createdAt: new Date(Date.UTC(2023, 0, 1) + n * 1_000).toISOString(),
        text: `message ${n}`,
      }),
    )
    const headers = await ownerHeaders(admin, server.url, shop)
    const uploaded = await clientOf(server.url, '').post(
      '/api/dashboard/history-imports/files',
      {
        source: 'history_file',
        filename: 'messages.jsonl',
        fileBase64: Buffer.from(lines.join('\n')).toString('base64'),
      },
      { headers },
    )
    expect(uploaded.status, uploaded.text).toBe(201)
    const state = async () =>
      (
        await admin.query<{ state: string; read: number; stored: number; known: number; leftOut: number }>(
          'select state, read, stored, known, left_out from history_imports where id = $1',
          [uploaded.body.import.id],
        )
      )[0]!
    for (let kill = 1; kill <= KILLS; kill++) {
      await until(async () => (await state()).read >= (MESSAGES * kill) / (KILLS + 2), 'the import continues')
      await wait(random() * 40)
      await server.kill()
      expect((await state()).state).toBe('running')
      await server.restart()
    }
    await until(async () => (await state()).state === 'done', 'the import is done')
    expect(await state()).toMatchObject({ read: MESSAGES, stored: MESSAGES, known: 0, leftOut: 0 })
    const [found] = await admin.query<Record<string, number>>(
      `select (select count(*) from messages where workspace_id = $1) as messages,
              (select count(*) from message_words where workspace_id = $1) as words,
              (select count(*) from conversations where workspace_id = $1 and state = 'resolved' and not is_unread) as chats,
              (select count(*) from events where workspace_id = $1 and name <> 'screen.changed') as events`,
      [shop.workspaceId],
    )
    expect(found).toEqual({ messages: MESSAGES, words: MESSAGES, chats: 300, events: 0 })
    recordFigures({
      rows: '18',
      fault: 'kill -9 amid an import of past messages',
      rounds: 1,
      kills: KILLS,
      accepted: MESSAGES,
      lost: MESSAGES - Number(found!.messages),
      doubled: Number(found!.messages) - MESSAGES,
    })
  },
  timeFor(180_000),
)
