/** kill -9 while invoices are issued and paid: a killed issue uses no number, a killed payment no receipt. */
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Body, type Client, clientOf } from '../support/boot.ts'
import { recordFigures, roundsOf, timeFor } from '../support/fault-run.ts'
import { killableInstallation } from '../support/killable-installation.ts'
import { newShop } from '../support/load.ts'
import { eventsOf } from '../support/records.ts'
import { newLines, sellsAs } from '../support/sales.ts'
import { randomFrom, seedOf } from '../support/seed.ts'
import { until } from '../support/until.ts'

const installation = killableInstallation()

const AT_ONCE = 8
const TOTAL_MINOR = 231_000

/** The answer to a key; undefined while there is no answer, or while the request has to wait for its turn. */
async function tryPost(client: Client, path: string, body: object, idempotencyKey: string): Promise<Body> {
  const answer = await client.post(path, body, { idempotencyKey }).catch(() => undefined)
  if (answer && ![201, 409, 429, 503].includes(answer.status)) throw new Error(answer.text)
  return answer?.status === 201 ? answer.body : undefined
}

test(
  'kill -9 during issues and payments: numbers and receipts have no gaps, each exists once',
  async () => {
    const random = randomFrom(seedOf('killed invoicing'))
    const server = await installation.start()
    const { admin } = server
    const { workspaceId, apiKey } = await newShop(admin, {}, { modules: ['invoicing'] })
    await sellsAs(clientOf(server.url, apiKey))
    const acknowledged = new Map<string, Body>()
    const recoveriesMs: number[] = []
    let keys = 0
    for (const _ of roundsOf(1)) {
      const own = Array.from({ length: AT_ONCE }, () => `key ${++keys}`)
      /** Issues an invoice and pays it, each with its own key, as far as possible. */
      const sell = async (key: string): Promise<void> => {
        const client = clientOf(server.url, apiKey)
        const issued = await tryPost(client, '/sales-invoices', { lines: newLines(), issue: true }, key)
        if (!issued) return
        const { id, number } = issued.invoice
        const path = `/sales-invoices/${id}/payments`
        const paid = await tryPost(client, path, { amountMinor: TOTAL_MINOR, method: 'cash' }, `${key} paid`)
        if (paid) acknowledged.set(key, { number, receipt: paid.payment.receiptNumber })
      }
      const selling = Promise.all(own.map(sell))
      await wait(random() * 150)
      await server.kill()
      const killedAt = performance.now()
      await selling
      await server.restart()
      await until(
        async () => {
          await Promise.all(own.filter((key) => !acknowledged.has(key)).map(sell))
          return own.every((key) => acknowledged.has(key))
        },
        'all invoices are issued and paid',
        60_000,
      )
      recoveriesMs.push(Math.round(performance.now() - killedAt))
    }
    const sortedNumbers = (texts: string[]) =>
      texts.map((text) => Number(text.split('/').at(-1))).sort((a, b) => a - b)
    const expectedNumbers = Array.from({ length: keys }, (_, i) => i + 1)
    const answers = [...acknowledged.values()]
    expect(sortedNumbers(answers.map(({ number }) => number))).toEqual(expectedNumbers)
    expect(sortedNumbers(answers.map(({ receipt }) => receipt))).toEqual(expectedNumbers)
    const [stored] = await admin.query<Record<string, number>>(
      `select (select count(*)::int from sales_documents where workspace_id = $1) as documents,
              (select count(*)::int from document_payments where workspace_id = $1) as payments,
              (select count(*)::int from received_money where workspace_id = $1) as money,
              (select sum(last_number)::int from number_series where workspace_id = $1) as numbers`,
      [workspaceId],
    )
    expect(stored).toEqual({ documents: keys, payments: keys, money: keys, numbers: 2 * keys })
    const names = (await eventsOf(admin, workspaceId)).map(({ name }) => name)
    for (const name of ['invoice.issued', 'invoice.payment_recorded', 'invoice.paid'])
      expect(
        names.filter((other) => other === name),
        name,
      ).toHaveLength(keys)
    recordFigures({
      rows: '1, 2',
      fault: 'kill -9 amid issues and payments of invoices',
      rounds: recoveriesMs.length,
      kills: recoveriesMs.length,
      accepted: keys,
      lost: keys - stored!.documents!,
      doubled: stored!.money! - keys,
      recoveriesMs,
    })
  },
  timeFor(180_000),
)
