import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { clientOf } from '../support/boot.ts'
import { recordFigures, thorough, timeFor } from '../support/fault-run.ts'
import { ownerHeaders } from '../support/imports.ts'
import { killableInstallation } from '../support/killable-installation.ts'
import { type Admin, newShop } from '../support/load.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { until } from '../support/until.ts'
import { zipOf } from '../support/zip.ts'

const MESSAGES = thorough ? 50_000 : 6_000
const KILLS = thorough ? 8 : 2

const installation = killableInstallation()

type Upload = { source: string; filename: string; file: Buffer }

/**
 * Uploads the file, kills the server several times while it is imported, and returns what is stored once the import is
 * done.
 */
async function importThroughKills({ source, filename, file }: Upload, messages: number) {
  const random = randomFrom(seedOf(`killed history import ${source}`))
  const server = await installation.start()
  const { admin } = server
  const shop = await newShop(admin, { sandbox: true, plan: 'unlimited' })
  const headers = await ownerHeaders(admin, server.url, shop)
  const uploaded = await clientOf(server.url, '').post(
    '/api/dashboard/history-imports/files',
    { source, filename, fileBase64: file.toString('base64') },
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
    await until(async () => (await state()).read >= (messages * kill) / (KILLS + 2), 'the import continues')
    await wait(random() * 40)
    await server.kill()
    expect((await state()).state).toBe('running')
    await server.restart()
  }
  await until(async () => (await state()).state === 'done', 'the import is done')
  expect(await state()).toMatchObject({ read: messages, stored: messages, known: 0, leftOut: 0 })
  return countStored(admin, shop.workspaceId)
}

/** Counts what the import left in the workspace. */
async function countStored(admin: Admin, workspaceId: string): Promise<Record<string, number>> {
  const [found] = await admin.query<Record<string, number>>(
    `select (select count(*) from messages where workspace_id = $1) as messages,
            (select count(*) from message_words where workspace_id = $1) as words,
            (select count(*) from conversations where workspace_id = $1 and state = 'resolved' and not is_unread) as chats,
            (select count(*) from media where workspace_id = $1 and state = 'stored') as files,
            (select count(distinct content ->> 'id') from messages where workspace_id = $1) as named_files,
            (select count(*) from events where workspace_id = $1 and name <> 'screen.changed') as events`,
    [workspaceId],
  )
  return found!
}

test(
  'kill -9 in the middle of an import of past messages: each message is stored once, and nothing is reported',
  async () => {
    const lines = Array.from({ length: MESSAGES }, (_, n) =>
      JSON.stringify({
        phone: `+9180${String(n % 300).padStart(8, '0')}`,
        direction: n % 2 === 0 ? 'inbound' : 'outbound',
        createdAt: new Date(Date.UTC(2023, 0, 1) + n * 1_000).toISOString(),
        text: `message ${n}`,
      }),
    )
    const file = Buffer.from(lines.join('\n'))
    const found = await importThroughKills(
      { source: 'history_file', filename: 'messages.jsonl', file },
      MESSAGES,
    )
    expect(found).toEqual({
      messages: MESSAGES,
      words: MESSAGES,
      chats: 300,
      files: 0,
      namedFiles: 0,
      events: 0,
    })
    recordFigures({
      rows: '18',
      fault: 'kill -9 amid an import of past messages',
      rounds: 1,
      kills: KILLS,
      accepted: MESSAGES,
      lost: MESSAGES - Number(found.messages),
      doubled: Number(found.messages) - MESSAGES,
    })
  },
  timeFor(180_000),
)

const CHAT_MESSAGES = MESSAGES / 4
/** Each message of this distance has a file. */
const FILE_EVERY = 10

test(
  'kill -9 in the middle of an import of an exported chat: each message and each file is stored once',
  async () => {
    const at = (n: number): string => {
      const [day, time] = new Date(Date.UTC(2023, 0, 1) + n * 60_000).toISOString().split('T')
      return `[${day}, ${time!.slice(0, 8)}]`
    }
    const entries: Record<string, string> = {}
    const lines = Array.from({ length: CHAT_MESSAGES }, (_, n) => {
      const writer = n % 2 === 0 ? '+91 98123 45678' : 'Blue Lotus'
      if (n % FILE_EVERY !== 0) return `${at(n)} ${writer}: message ${n}`
      entries[`${n}.pdf`] = `%PDF-1.4 ${n}`
      return `${at(n)} ${writer}: \u200e<attached: ${n}.pdf>`
    })
    const file = zipOf({ '_chat.txt': lines.join('\n'), ...entries })
    const files = CHAT_MESSAGES / FILE_EVERY
    const found = await importThroughKills(
      { source: 'whatsapp_export', filename: 'WhatsApp Chat.zip', file },
      CHAT_MESSAGES,
    )
    expect(found).toMatchObject({ messages: CHAT_MESSAGES, chats: 1, files, namedFiles: files, events: 0 })
    recordFigures({
      rows: '18',
      fault: 'kill -9 amid an import of an exported chat',
      rounds: 1,
      kills: KILLS,
      accepted: CHAT_MESSAGES,
      lost: CHAT_MESSAGES - Number(found.messages),
      doubled: Number(found.messages) - CHAT_MESSAGES,
    })
  },
  timeFor(180_000),
)
