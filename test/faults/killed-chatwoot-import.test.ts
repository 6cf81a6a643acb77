import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { clientOf } from '../support/boot.ts'
import { ACCOUNT, TOKEN } from '../support/chatwoot-account.ts'
import { recordFigures, thorough, timeFor } from '../support/fault-run.ts'
import { ownerHeaders } from '../support/imports.ts'
import { killableInstallation } from '../support/killable-installation.ts'
import { newShop } from '../support/load.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { startChatwoot } from '../support/stand-in-chatwoot.ts'
import { until } from '../support/until.ts'

const CONVERSATIONS = thorough ? 10_000 : 1_500
const KILLS = thorough ? 6 : 2
const SIZE = {
  contacts: Math.ceil(CONVERSATIONS * 0.8),
  conversations: CONVERSATIONS,
  phone: '+911234567890',
}

let account: Awaited<ReturnType<typeof startChatwoot>>
beforeAll(async () => {
  account = await startChatwoot(SIZE)
})
afterAll(() => account?.stop())
const installation = killableInstallation(() => account.env)

type Progress = {
  state: string
  read: number
  stored: number
  known: number
  contacts: number
  causes: Record<string, number>
}

test(
  'kill -9 in the middle of an import from Chatwoot: each message and note is stored once, and nothing is sent',
  async () => {
    const random = randomFrom(seedOf('killed chatwoot import'))
    const server = await installation.start()
    const { admin } = server
    const shop = await newShop(admin, { sandbox: true, plan: 'unlimited' })
    const headers = await ownerHeaders(admin, server.url, shop)
    const start = async (): Promise<string> => {
      const body = { url: account.url, accountId: ACCOUNT, token: TOKEN }
      const path = '/api/dashboard/history-imports/chatwoot'
      const answer = await clientOf(server.url, '').post(path, body, { headers })
      expect(answer.status, answer.text).toBe(201)
      return answer.body.import.id
    }
    const progressOf = async (id: string): Promise<Progress> =>
      (
        await admin.query<Progress>(
          'select state, read, stored, known, contacts, causes from history_imports where id = $1',
          [id],
        )
      )[0]!
    const finished = (id: string) =>
      until(async () => (await progressOf(id)).state === 'done', 'the import is done', timeFor(120_000))

    const id = await start()
    const total = SIZE.contacts + SIZE.conversations
    for (let kill = 1; kill <= KILLS; kill++) {
      await until(
        async () => (await progressOf(id)).read >= (total * kill) / (KILLS + 1),
        'the import continues',
        timeFor(120_000),
      )
      await wait(random() * 40)
      await server.kill()
      expect((await progressOf(id)).state).toBe('running')
      await server.restart()
    }
    await finished(id)

    const expected = account.expected()
    const done = await progressOf(id)
    expect(done).toMatchObject({
      read: total,
      stored: expected.messages,
      known: 0,
      causes: { activity: expected.activity, deleted: expected.deleted, other_channel: expected.otherInbox },
    })
    const rows = async () =>
      (
        await admin.query<Record<string, number>>(
          `select (select count(*)::int from messages where workspace_id = $1) as messages,
                  (select count(*)::int from conversation_notes where workspace_id = $1) as notes,
                  (select count(*)::int from contacts where workspace_id = $1) as contacts,
                  (select count(*)::int from events where workspace_id = $1 and name <> 'screen.changed') as events`,
          [shop.workspaceId],
        )
      )[0]!
    const stored = await rows()
    expect(stored).toMatchObject({ messages: expected.messages, notes: expected.notes, events: 0 })
    expect(stored.contacts).toBe(done.contacts)

    // The same account again adds nothing.
    const again = await start()
    await finished(again)
    expect(await progressOf(again)).toMatchObject({ stored: 0, known: expected.messages, contacts: 0 })
    expect(await rows()).toEqual(stored)
    recordFigures({
      rows: '18',
      fault: 'kill -9 amid an import from Chatwoot',
      rounds: 1,
      kills: KILLS,
      accepted: expected.messages,
      lost: expected.messages - stored.messages!,
      doubled: 0,
    })
  },
  timeFor(400_000),
)
