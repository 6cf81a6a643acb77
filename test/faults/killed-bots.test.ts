/** kill -9 while a bot answers customers: each step runs once, and each message is sent once. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Body, clientOf } from '../support/boot.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { killableInstallation } from '../support/killable-installation.ts'
import { newShop } from '../support/load.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { until } from '../support/until.ts'

const installation = killableInstallation()

const AT_ONCE = 8
/** The menu, and the two messages after it. */
const SAID = 3

const BOT = {
  name: 'Menu',
  enabled: true,
  entry: { default: true },
  fallback: { text: 'Please tap.' },
  start: 'menu',
  nodes: [
    { id: 'menu', type: 'buttons', text: 'menu', options: [{ id: 'go', title: 'Go', next: 'tag' }] },
    { id: 'tag', type: 'action', action: { type: 'add_note', note: 'went on' }, next: 'first' },
    { id: 'first', type: 'message', text: 'first', next: 'second' },
    { id: 'second', type: 'message', text: 'second' },
  ],
}

test(
  'kill -9 during the steps of a bot: every step runs once, every message is sent once',
  async () => {
    const random = randomFrom(seedOf('killed bots'))
    const server = await installation.start()
    const { admin } = server
    const { workspaceId, apiKey } = await newShop(admin, { sandbox: true })
    const shop = clientOf(server.url, apiKey)
    expect((await shop.post('/bots', BOT)).status).toBe(201)
    const recoveriesMs: number[] = []
    /**
     * Sends messages of customers, kills the process while the bot answers, and repeats the messages that
     * were not received.
     */
    const killDuring = async (bodies: { from: string }[]): Promise<void> => {
      const accepted = new Set<string>()
      const write = async (body: { from: string }) => {
        const idempotencyKey = JSON.stringify(body)
        const answer = await shop.post('/sandbox/inbound', body, { idempotencyKey }).catch(() => undefined)
        if (answer?.status === 202) accepted.add(body.from)
      }
      const writing = Promise.all(bodies.map(write))
      await wait(random() * 150)
      await server.kill()
      const killedAt = performance.now()
      await writing
      await server.restart()
      await until(async () => {
        await Promise.all(bodies.filter(({ from }) => !accepted.has(from)).map(write))
        return accepted.size === bodies.length
      }, 'all messages of the customers are stored')
      recoveriesMs.push(Math.round(performance.now() - killedAt))
    }
    const findReplies = (text: string) =>
      admin.query<{ phone: string; content: Body }>(
        `select c.phone, m.content from messages m join contacts c on c.workspace_id = m.workspace_id and c.id = m.contact_id
         where m.workspace_id = $1 and m.direction = 'outbound' and m.content::text like '%' || $2 || '%'`,
        [workspaceId, text],
      )
    let chats = 0
    for (const _ of roundsOf(1)) {
      const customers = Array.from({ length: AT_ONCE }, () => `+9198123${10_000 + ++chats}`)
      await killDuring(customers.map((from) => ({ from, text: 'Hello' })))
      const menus = await until(async () => {
        const found = await findReplies('"text":"menu"')
        return found.length >= chats && found
      }, 'all customers have a menu')
      const buttonOf = new Map(
        menus.map(({ phone, content }) => [phone, content.action.buttons[0].reply.id as string]),
      )
      await killDuring(customers.map((from) => ({ from, buttonId: buttonOf.get(from)!, title: 'Go' })))
      await until(
        async () => (await findReplies('"body":"second"')).length >= chats,
        'all customers have an answer',
      )
    }
    const [stored] = await admin.query<{ messages: number; notes: number; sessions: number }>(
      `select (select count(*)::int from messages where workspace_id = $1 and direction = 'outbound') as messages,
              (select count(*)::int from conversation_notes where workspace_id = $1) as notes,
              (select count(*)::int from bot_sessions where workspace_id = $1) as sessions`,
      [workspaceId],
    )
    recordFigures({
      rows: '1, 2',
      fault: 'kill -9 amid the steps of a bot',
      rounds: recoveriesMs.length,
      kills: recoveriesMs.length,
      accepted: SAID * chats,
      lost: Math.max(0, SAID * chats - stored!.messages),
      doubled: Math.max(0, stored!.messages - SAID * chats),
      recoveriesMs,
    })
    expect(stored).toEqual({ messages: SAID * chats, notes: chats, sessions: 0 })
    const sent = await until(async () => {
      const rows = await admin.query<{ status: string; handovers: number }>(
        `select status, handovers from messages where workspace_id = $1 and direction = 'outbound'`,
        [workspaceId],
      )
      return rows.every(({ status }) => status !== 'queued') && rows
    }, 'all messages are submitted')
    expect(sent.filter(({ status }) => status === 'failed')).toEqual([])
  },
  timeFor(90_000),
)
