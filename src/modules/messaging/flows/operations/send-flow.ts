/** Sends a form into a chat, as an interactive message, through the operation of `POST /send` (spec 4.10). */
import type { Context } from '../../../../core/context.ts'
import { invalid, Refusal, refuse } from '../../../../core/errors.ts'
import { newId } from '../../../../core/ids.ts'
import { chooseNumber } from '../../../platform/workspaces/operations/choose-number.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { describeContacts } from '../../contacts/operations/find-contact.ts'
import { getConversation, noConversation } from '../../conversations/operations/read-conversations.ts'
import { type SendItem, sendMessages } from '../../messages/sending/operations/send-messages.ts'
import type { FlowRow } from '../queries/flows.ts'
import type { FlowSend } from '../schema.ts'
import { isPublished } from './read-flows.ts'
import { getFlow } from './read-form.ts'

/** The operator's code for a form that it has blocked (docs/formats.md section 4). */
const FLOW_BLOCKED = 132068

function checkState({ name, status }: FlowRow, mode: FlowSend['mode']): void {
  if (status === 'blocked')
    refuse(
      'meta_error',
      `The operator blocked the form ${name}. Choose another, or correct it at the operator.`,
      { code: FLOW_BLOCKED },
    )
  if (mode === 'draft' ? status === 'draft' : isPublished(status)) return
  refuse(
    'conflict',
    mode === 'draft'
      ? `The form ${name} is ${status}. Leave out mode: the mode draft is for draft forms only.`
      : `The form ${name} is ${status}, not published. Publish it and call GET /flows, or send a draft with mode draft.`,
  )
}

type Route = Pick<SendItem['body'], 'to' | 'recipient' | 'phoneNumberId'>

/** Returns the recipient and our sending number. */
async function routeOf(ctx: Context, flow: FlowRow, body: FlowSend): Promise<Route> {
  const numbers = await listNumbers(ctx, [ctx.workspace.id])
  if (body.conversationId === undefined) {
    const own = numbers.filter((number) => number.accountId === flow.accountId)
    const number = chooseNumber(
      body.phoneNumberId === undefined ? own : numbers,
      ctx.workspace.id,
      body.phoneNumberId?.toLowerCase(),
    )
    if (number instanceof Refusal) throw number
    checkAccount(flow, number, 'phoneNumberId')
    return { to: body.to, recipient: body.recipient, phoneNumberId: number.id }
  }
  const conversation = await getConversation(ctx, body.conversationId.toLowerCase())
  const contact = (await describeContacts(ctx, [conversation])).get(conversation.contactId)
  const number = numbers.find((number) => number.id === conversation.phoneNumberId)
  if (!contact) return noConversation()
  if (number) checkAccount(flow, number, 'conversationId')
  return { to: contact.phone, phoneNumberId: conversation.phoneNumberId }
}

function checkAccount(flow: FlowRow, number: { accountId: string }, field: string): void {
  if (number.accountId !== flow.accountId)
    throw invalid([{ path: field, message: "Must be a number of the form's business account." }])
}

/** Returns the message in the operator's format (docs/formats.md section 2). */
function payloadOf(flow: FlowRow, body: FlowSend): SendItem['body']['payload'] {
  const { header, footer, mode, screen, data } = body
  return {
    type: 'interactive',
    interactive: {
      type: 'flow',
      ...(header === undefined ? {} : { header: { type: 'text', text: header } }),
      body: { text: body.body },
      ...(footer === undefined ? {} : { footer: { text: footer } }),
      action: {
        name: 'flow',
        parameters: {
          flow_message_version: '3',
          flow_id: flow.operatorId,
          flow_cta: body.cta,
          flow_token: body.flowToken ?? newId(),
          ...(mode === undefined ? {} : { mode }),
          ...(screen === undefined
            ? {}
            : {
                flow_action: 'navigate',
                flow_action_payload: { screen, ...(data === undefined ? {} : { data }) },
              }),
        },
      },
    },
  }
}

/**
 * Sends a form. Returns the id of the queued message. Refuses like `POST /send`, and if the form can't be
 * sent.
 */
export async function sendFlow(ctx: Context, ref: string, body: FlowSend): Promise<string> {
  const flow = await getFlow(ctx, ref)
  checkState(flow, body.mode)
  const route = await routeOf(ctx, flow, body)
  const item: SendItem = {
    ctx,
    body: { ...route, type: 'interactive', payload: payloadOf(flow, body), replyTo: body.replyTo },
  }
  const [sent] = await sendMessages([item])
  if (sent instanceof Refusal) throw sent
  return sent!
}
