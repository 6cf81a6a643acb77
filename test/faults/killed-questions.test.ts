/** kill -9 while customers are asked to rate chats and to review paid invoices: each is asked once. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Body, clientOf } from '../support/boot.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { killableInstallation } from '../support/killable-installation.ts'
import { newShop } from '../support/load.ts'
import { madeInvoice } from '../support/sales.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { until } from '../support/until.ts'

const installation = killableInstallation()

const AT_ONCE = 8
const TOTAL_MINOR = 231_000

test(
  'kill -9 during requests for ratings and reviews: each chat and each paid invoice gets one request',
  async () => {
    const random = randomFrom(seedOf('killed questions'))
    const server = await installation.start()
    const { admin } = server
    const { workspaceId, apiKey } = await newShop(
      admin,
      { sandbox: true },
      { modules: ['invoicing', 'reviews'] },
    )
    const shop = clientOf(server.url, apiKey)
    await shop.call('PUT', '/rating-settings', { enabled: true })
    await shop.call('PUT', '/review-settings', { afterInvoicePaidHours: 0, everyDays: 0 })
    const questions = () =>
      admin.query<{ conversationId: string; about: string; count: number }>(
        `select conversation_id, content::text like '%"review:%' as about, count(*)::int as count from messages
         where workspace_id = $1 and direction = 'outbound' and type = 'interactive' group by 1, 2`,
        [workspaceId],
      )
    const recoveriesMs: number[] = []
    let chats = 0
    for (const _ of roundsOf(1)) {
      for (let i = 0; i < AT_ONCE; i++)
        await shop.post('/sandbox/inbound', { from: `+9198123${10_000 + ++chats}`, text: 'Thank you.' })
      const open = await until(async () => {
        const { conversations } = (await shop.get('/conversations?limit=100')).body
        return conversations.length === chats && conversations.filter(({ state }: Body) => state === 'open')
      }, 'all customers have written')
      const invoices = new Map<string, string>()
      for (const { id, contact } of open)
        invoices.set(id, (await madeInvoice(shop, { contactId: contact.id, issue: true })).id)
      /** Resolves the chat and pays the invoice, as far as possible. */
      const finish = async ({ id }: Body): Promise<boolean> => {
        const path = `/sales-invoices/${invoices.get(id)}/payments`
        const payment = { amountMinor: TOTAL_MINOR, method: 'cash' }
        const answers = await Promise.all([
          shop.patch(`/conversations/${id}`, { state: 'resolved' }),
          shop.post(path, payment, { idempotencyKey: id }),
        ]).catch(() => [])
        return answers.length === 2 && answers[0]!.status === 200 && answers[1]!.status === 201
      }
      const finishing = Promise.all(open.map(finish))
      await wait(random() * 150)
      await server.kill()
      const killedAt = performance.now()
      await finishing
      await server.restart()
      await until(async () => (await Promise.all(open.map(finish))).every(Boolean), 'all work is done')
      await until(async () => (await questions()).length === 2 * chats, 'all customers were asked')
      recoveriesMs.push(Math.round(performance.now() - killedAt))
    }
    const questionRows = await questions()
    const doubled = questionRows.filter(({ count }) => count > 1).length
    recordFigures({
      rows: '1, 2',
      fault: 'kill -9 amid questions to customers',
      rounds: recoveriesMs.length,
      kills: recoveriesMs.length,
      accepted: 2 * chats,
      lost: 2 * chats - questionRows.length,
      doubled,
      recoveriesMs,
    })
    expect(doubled).toBe(0)
  },
  timeFor(60_000),
)
