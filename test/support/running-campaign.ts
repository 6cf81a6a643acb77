/** A campaign to known contacts that runs during a fault. The stand-in operator is a witness outside the database. */
import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { type Client, clientOf } from './boot.ts'
import { type Admin, newShop } from './load.ts'
import { cloudShop, type StandInOperator } from './stand-in-operator.ts'
import { storeTemplate } from './templates.ts'
import { until } from './until.ts'

const UNDER_WAY = 20
const COMPLETED_WITHIN_MS = 120_000

export type RunningCampaign = {
  shop: Client & { workspaceId: string }
  people: number
  /** Starts it, and waits until the operator has some of its messages. */
  start(): Promise<void>
  /** The number of messages that the operator has. */
  countSubmitted(): number
  /** Waits until it is completed, and every message has an outcome. Returns how many recipients got none, or several. */
  settle(): Promise<{ missing: number; doubled: number }>
}

/** Prepares a campaign to `people` contacts of a new shop. `series` (0 to 39) selects their phone numbers. */
export async function prepareCampaign(
  { admin, url, operator }: { admin: Admin; url: string; operator: StandInOperator },
  { people, series }: { people: number; series: number },
): Promise<RunningCampaign> {
  const shop = await cloudShop({
    system: admin.system,
    workspace: async () => {
      const workspace = await newShop(admin, {}, { messageAllowance: 1_000_000 })
      return { ...workspace, ...clientOf(url, workspace.apiKey) }
    },
  })
  const { workspaceId } = shop
  const prefix = `91${60 + series}`
  await admin.query(
    `insert into contacts (workspace_id, id, phone, opt_in_status, created_at, updated_at)
     select $1, gen_random_uuid(), '+' || $2 || lpad(n::text, 8, '0'), 'opted_in', now(), now() from generate_series(1, $3::int) n`,
    [workspaceId, prefix, people],
  )
  await storeTemplate(admin, shop, { category: 'MARKETING', components: [{ type: 'BODY', text: 'Lights' }] })
  const [template] = await admin.query<{ id: string }>('select id from templates where workspace_id = $1', [
    workspaceId,
  ])
  const listReached = (): string[] =>
    operator.taken
      .map(({ body }) => String(body.to).replace('+', ''))
      .filter((phone) => phone.startsWith(prefix))
  const readState = async () =>
    (
      await admin.query<{ status: string; recipients: number; waiting: number }>(
        `select b.status,
                (select count(*)::int from broadcast_recipients r where r.workspace_id = b.workspace_id) as recipients,
                (select count(*)::int from messages m where m.workspace_id = b.workspace_id and m.run_at is not null) as waiting
         from broadcasts b where b.workspace_id = $1`,
        [workspaceId],
      )
    )[0]

  return {
    shop,
    people,
    start: async () => {
      const answer = await shop.post(
        '/broadcasts',
        {
          name: 'Lights',
          templateId: template!.id,
          phoneNumberId: shop.cloudNumberId,
          segment: {},
          sendNow: true,
        },
        { idempotencyKey: randomUUID() },
      )
      expect(answer.status, answer.text).toBe(201)
      await until(() => listReached().length >= UNDER_WAY, 'the campaign is under way')
    },
    countSubmitted: () => listReached().length,
    settle: async () => {
      await until(
        async () => {
          const state = await readState()
          if (state?.status === 'completed' && state.waiting === 0) return true
          throw new Error(`${listReached().length} of ${people} submitted; ${JSON.stringify(state)}`)
        },
        'the campaign is completed',
        COMPLETED_WITHIN_MS,
      )
      const [stored] = await admin.query<{ messages: number; recipients: number }>(
        `select count(*)::int as messages, count(distinct contact_id)::int as recipients
         from messages where workspace_id = $1 and direction = 'outbound'`,
        [workspaceId],
      )
      expect(stored).toEqual({ messages: people, recipients: people })
      const reached = listReached()
      const recipients = new Set(reached).size
      return { missing: people - recipients, doubled: reached.length - recipients }
    },
  }
}
