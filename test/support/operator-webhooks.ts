/**
 * The operator's side of a real number: it posts signed updates to the callback, as the operator does.
 *
 *   const number = await connectNumber(parley, shop)
 *   await number.report('messages', { messages: [{ … }] })
 *   await number.reportBody(fixture)
 */
import { randomInt, randomUUID } from 'node:crypto'
import { createSealer } from '../../src/core/sealing.ts'
import { addPhoneNumber } from '../../src/modules/platform/workspaces/operations/phone-numbers.ts'
import { asciiJson, signWebhook } from '../../src/operator/webhook-signature.ts'
import { type Answered, SECRET_KEY, type TestParley, type TestWorkspace } from './boot.ts'
import { until } from './until.ts'

export type ConnectedNumber = {
  phoneNumberId: string
  /** Digits, in the operator's notation. */
  displayNumber: string
  operatorId: string
  accountId: string
  appSecret: string
  /** Signs and posts a body (or a text) unchanged; resolves before the body is applied. */
  post(body: unknown): Promise<Answered>
  /**
   * Posts a body with the ids of its numbers and accounts replaced by ours, and waits until the service has
   * applied it.
   */
  reportBody(body: unknown): Promise<void>
  /** Posts one change of one value, with our number's metadata. `time` is in Unix seconds. */
  report(field: string, value: object, time?: number): Promise<void>
}

const digits = (length: number) => Array.from({ length }, () => randomInt(1, 10)).join('')

/**
 * Connects a number of the real operator to the workspace, or a simulated number that also accepts posted
 * webhooks.
 */
export async function connectNumber(
  parley: TestParley,
  shop: TestWorkspace,
  input: { operator?: 'cloud' | 'simulator'; accountId?: string; appSecret?: string } = {},
): Promise<ConnectedNumber> {
  const { operator = 'cloud', accountId = digits(15), appSecret = randomUUID() } = input
  const displayNumber = `9190${digits(8)}`
  const operatorId = digits(15)
  const { phoneNumberId } = await parley.system((tx) =>
    addPhoneNumber(
      tx,
      {
        workspaceId: shop.workspaceId,
        number: `+${displayNumber}`,
        operator,
        accountId,
        operatorId,
        // The simulator uses it to recognize whose token it is.
        token: operator === 'simulator' ? `${operatorId}.token` : 'operator-token',
        appSecret,
        verifyToken: 'handshake',
      },
      new Date(),
      createSealer(SECRET_KEY),
    ),
  )
  const metadata = { display_phone_number: displayNumber, phone_number_id: operatorId }

  const post = (body: unknown) => {
    const text = typeof body === 'string' ? body : asciiJson(body)
    return parley.anonymous.post(`/api/operator/${shop.workspaceId}`, text, {
      headers: { 'x-hub-signature-256': signWebhook(text, appSecret) },
    })
  }
  const waitUntilApplied = () =>
    until(async () => {
      const [row] = await parley.system((tx) =>
        tx.sql<{ waiting: number }>(
          'select count(*)::int as waiting from operator_updates where workspace_id = $1 and failed_at is null',
          [shop.workspaceId],
        ),
      )
      return row?.waiting === 0
    }, 'the updates were applied')
  const reportBody = async (body: unknown) => {
    const answer = await post(withOwnAccount(body, { accountId, displayNumber, metadata }))
    if (answer.status !== 200) throw new Error(`the callback answered ${answer.status}: ${answer.text}`)
    await waitUntilApplied()
  }
  return {
    phoneNumberId,
    displayNumber,
    operatorId,
    accountId,
    appSecret,
    post,
    reportBody,
    report: (field, value, time) =>
      reportBody({
        object: 'whatsapp_business_account',
        entry: [{ id: accountId, time, changes: [{ field, value: { metadata, ...value } }] }],
      }),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: bodies as the operator writes them
type Loose = any

/** Returns a copy of a webhook body with our number and account. */
function withOwnAccount(
  body: unknown,
  account: { accountId: string; displayNumber: string; metadata: object },
): unknown {
  const copy: Loose = structuredClone(body)
  for (const entry of copy.entry ?? []) {
    entry.id = account.accountId
    for (const { value } of entry.changes ?? []) {
      if (value?.metadata) value.metadata = account.metadata
      if (value?.display_phone_number) value.display_phone_number = account.displayNumber
      if (value?.waba_info?.waba_id) value.waba_info.waba_id = account.accountId
    }
  }
  return copy
}
