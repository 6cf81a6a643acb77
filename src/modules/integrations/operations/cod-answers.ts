/** What customers answer who were asked whether they want their order (spec 6.3 order.cod_response). */
import type { Clock } from '../../../core/clock.ts'
import { type Context, platformContext, type Unit, type Workspace } from '../../../core/context.ts'
import { emit, type PendingEvent, touch } from '../../../core/event.ts'
import { enqueueAll } from '../../../core/job.ts'
import { orderCodResponse } from '../events.ts'
import { markOrderInShop } from '../jobs.ts'
import { type TakenAnswer, takeAnswers } from '../queries/cod.ts'
import { readStoreSettings } from './store-settings.ts'

/** The ids of the buttons under a question. */
export const answerIds = (orderId: string) => ({ yes: `cod:${orderId}:yes`, no: `cod:${orderId}:no` })

const BUTTON = /^cod:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}):(yes|no)$/
const WORD = /^\s*(yes|no)\s*[.!]*\s*$/i

type Written = { type: string; content: Record<string, unknown> }

/** The answer that a message may be: a button, or one word; `orderId` null: about what was asked last. */
export function answerIn({
  type,
  content,
}: Written): { orderId: string | null; confirmed: boolean } | undefined {
  const {
    button_reply: reply,
    payload,
    body,
    text,
  } = content as {
    button_reply?: { id?: unknown }
    payload?: unknown
    body?: unknown
    text?: unknown
  }
  const id = type === 'interactive' ? reply?.id : type === 'button' ? payload : undefined
  const tapped = typeof id === 'string' ? BUTTON.exec(id) : null
  if (tapped) return { orderId: tapped[1]!, confirmed: tapped[2] === 'yes' }
  const said = type === 'text' ? body : type === 'button' ? text : undefined
  const word = typeof said === 'string' ? WORD.exec(said)?.[1] : undefined
  return word === undefined ? undefined : { orderId: null, confirmed: word.toLowerCase() === 'yes' }
}

/** A customer's message that was stored. */
export type HeardMessage = Written & {
  ctx: Context
  messageId: string
  conversationId: string
  contactId: string
}

/**
 * Takes the answers about cash on delivery among customers' messages, each order's first. Nothing is asked of the database
 * where there are none. Returns the ids of the messages that were answers.
 */
export async function hearCodAnswers(unit: Unit, messages: HeardMessage[]): Promise<Set<string>> {
  const answers = messages.flatMap((message) => {
    const answer = answerIn(message)
    return answer ? [{ ...message, ...answer }] : []
  })
  if (answers.length === 0) return new Set()
  const taken = await takeAnswers(
    unit,
    answers.map(({ ctx, ...answer }) => ({ ...answer, workspaceId: ctx.workspace.id, at: ctx.now })),
  )
  const answered = taken.map((one) => ({
    one,
    of: answers.find(({ messageId }) => messageId === one.messageId)!,
  }))
  for (const { one, of } of answered) {
    const { conversationId, contactId } = of
    const { reference, confirmed, orderId } = one
    touch(of.ctx, { order: orderId })
    emit(of.ctx, orderCodResponse, { conversationId, contactId, reference, confirmed }, { contactId })
  }
  for (const [, group] of Map.groupBy(answered, ({ of }) => of.ctx.workspace.id))
    await markInShops(
      group[0]!.of.ctx,
      group.map(({ one }) => one),
    )
  return new Set(taken.map(({ messageId }) => messageId))
}

/** The simulated shops and shops of one's own take no marks: they hear it by the event. */
const TAKE_MARKS = ['shopify', 'woocommerce']

async function markInShops(ctx: Context, taken: TakenAnswer[]): Promise<void> {
  const markable = taken.filter(({ integration }) => TAKE_MARKS.includes(integration))
  if (markable.length === 0) return
  const settingsOf = await readStoreSettings(ctx)
  await enqueueAll(
    markOrderInShop,
    markable.flatMap(({ integration, externalId, confirmed }) =>
      externalId !== null && settingsOf(integration).cod.tagStore
        ? [{ ctx, payload: { integration, externalId, confirmed } }]
        : [],
    ),
  )
}

type Received = Written & { messageId: string; conversationId: string; contact: { id: string } }

/**
 * Follows the messages of a transaction before it commits. Undefined, and nothing is asked of the database, where none may
 * be an answer.
 */
export const codFollower =
  ({ clock, workspaces }: { clock: Clock; workspaces(unit: Unit, ids: string[]): Promise<Workspace[]> }) =>
  (unit: Unit): Promise<void> | undefined => {
    const heard = unit.outbox.filter(isAnswer)
    return heard.length === 0 ? undefined : follow(unit, heard, { clock, workspaces })
  }

const isAnswer = ({ name, data, madeUp }: PendingEvent): boolean =>
  name === 'message.received' && !madeUp && answerIn(data as Written) !== undefined

async function follow(
  unit: Unit,
  heard: PendingEvent[],
  { clock, workspaces }: Parameters<typeof codFollower>[0],
): Promise<void> {
  const ids = [...new Set(heard.map(({ workspaceId }) => workspaceId))]
  const contexts = new Map(
    (await workspaces(unit, ids)).map((one) => [one.id, platformContext(unit, one, clock)]),
  )
  await hearCodAnswers(
    unit,
    heard.flatMap(({ workspaceId, data }) => {
      const { messageId, conversationId, contact, type, content } = data as Received
      const ctx = contexts.get(workspaceId)
      return ctx ? [{ ctx, messageId, conversationId, contactId: contact.id, type, content }] : []
    }),
  )
}
