/**
 * Plans how a document is sent into a chat: the recipient, our number, and whether as a file or by a
 * template.
 */
import type { Context } from '../../../../core/context.ts'
import { invalid, Refusal, refuse, refuseReference } from '../../../../core/errors.ts'
import { languageOf } from '../../../../core/values/languages.ts'
import { moneyText } from '../../../../core/values/money.ts'
import { describeContacts } from '../../../messaging/contacts/operations/find-contact.ts'
import { settleCustomers } from '../../../messaging/contacts/operations/settle-numbers.ts'
import { findReach } from '../../../messaging/conversations/operations/find-reach.ts'
import type { SendBody } from '../../../messaging/messages/sending/send-schema.ts'
import { getTemplate } from '../../../messaging/templates/operations/read-templates.ts'
import {
  type Facts,
  takesDocument,
  valuesFromFacts,
} from '../../../messaging/templates/operations/values-from-facts.ts'
import { chooseNumber } from '../../../platform/workspaces/operations/choose-number.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { type DocumentSource, dayText, isInvoice, payableMinor } from '../pages/document-view.ts'
import type { DocumentRow } from '../queries/documents.ts'
import type { DocumentKind, SendDocument } from '../schema.ts'
import { documentTexts } from '../texts/texts.ts'
import { linkToSend } from './document-link.ts'
import { getDocument } from './find-document.ts'
import { sourceForChats, sourceOf } from './shown-document.ts'

/** The document to send, and the form. */
export type Sent = { id: string; kinds: readonly DocumentKind[]; body: SendDocument }

type Template = Awaited<ReturnType<typeof getTemplate>>

export type ChatPlan = {
  source: DocumentSource
  url: string
  to: string
  phoneNumberId: string
  /** Undefined: the window is open, and the file is sent directly. */
  template: Template | undefined
  needsFile: boolean
  message: string | null | undefined
}

async function recipientOf(
  ctx: Context,
  document: DocumentRow,
  requestedTo: string | null | undefined,
): Promise<string> {
  if (requestedTo) return requestedTo
  const { contactId } = document
  const contact =
    contactId === null
      ? undefined
      : (await describeContacts(ctx, [{ workspaceId: ctx.workspace.id, contactId }])).get(contactId)
  return (
    contact?.phone ??
    document.customer.phone ??
    refuseTo('Required: the document has no contact and no phone number.')
  )
}

const refuseTo = (message: string): never => {
  throw invalid([{ path: 'to', message }])
}

/** Returns our number that the customer wrote to last within 24 hours. */
async function openNumber(ctx: Context, to: string): Promise<string | undefined> {
  const { workspace } = ctx
  const [recipient] = await settleCustomers(ctx, [{ workspace, text: to, path: 'to' }])
  if (recipient instanceof Refusal) throw recipient
  const [reach] = await findReach(ctx, [{ workspaceId: workspace.id, ...recipient! }])
  const open = [...(reach?.conversations ?? [])].filter(
    ([, { windowExpiresAt }]) => windowExpiresAt !== null && windowExpiresAt > ctx.now,
  )
  return open.sort(([, a], [, b]) => b.windowExpiresAt!.getTime() - a.windowExpiresAt!.getTime())[0]?.[0]
}

async function namedTemplate(ctx: Context, templateId: string): Promise<Template> {
  try {
    return await getTemplate(ctx, templateId)
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found')
      refuseReference('templateId', 'Template not found. See GET /templates.')
    throw error
  }
}

/** Returns a number of the account that has the template. */
async function numberFor(ctx: Context, template: Template): Promise<string> {
  const numbers = await listNumbers(ctx, [ctx.workspace.id])
  const chosen = chooseNumber(
    numbers.filter(({ accountId }) => accountId === template.accountId),
    ctx.workspace.id,
    undefined,
  )
  if (chosen instanceof Refusal) throw chosen
  return chosen.id
}

/** Returns the plan for the document, as far as it can be decided before sending. */
export async function planChat(ctx: Context, { id, kinds, body }: Sent): Promise<ChatPlan> {
  const document = await getDocument(ctx, id, kinds)
  const url = linkToSend(ctx, document)
  const source = sourceForChats(ctx.workspace, await sourceOf(ctx, document))
  const to = await recipientOf(ctx, document, body.to)
  const template = body.templateId ? await namedTemplate(ctx, body.templateId) : undefined
  const open = await openNumber(ctx, to)
  const common = { source, url, to, message: body.message }
  if (open !== undefined) return { ...common, phoneNumberId: open, template: undefined, needsFile: true }
  if (!template)
    return refuse(
      'outside_24h_window',
      'The 24-hour window is closed. Send an approved template in templateId.',
    )
  return {
    ...common,
    phoneNumberId: await numberFor(ctx, template),
    template,
    needsFile: takesDocument(template),
  }
}

/** Returns the values of a document for templates (DECISIONS.md "Sending"). */
function factsOf({ source, url }: ChatPlan, template: Template, file: Facts['file']): Facts {
  const { document, basis } = source
  // The values follow the language of the template, not of the customer.
  const language = languageOf(template.language) ?? source.language
  const name = document.customer.name ?? documentTexts(language).t('template.customer')
  const money = (minor: number): string => moneyText(minor, document.currency, language)
  const number = document.number ?? ''
  const payable = payableMinor(document)
  const total = money(document.totalMinor)
  const amount = payable > 0 ? money(payable) : total
  const day = (isInvoice(document) ? document.dueDate : document.validUntil) ?? document.issueDate!
  const date = dayText(day, language)
  const seller = basis.seller?.legalName ?? ''
  return {
    inOrder: [name, number, amount, date, url],
    byName: { name, number, amount, total, date, link: url, seller },
    headline: number,
    file,
    urlSuffix: new URL(url).pathname.slice(1),
  }
}

/** Returns the message, with its file. */
export function messageOf(plan: ChatPlan, file: { id: string; filename: string } | undefined): SendBody {
  const { to, phoneNumberId, template, message } = plan
  if (template)
    return {
      to,
      phoneNumberId,
      type: 'template',
      payload: { type: 'template', template: valuesFromFacts(template, factsOf(plan, template, file)) },
    }
  return {
    to,
    phoneNumberId,
    type: 'document',
    payload: { type: 'document', document: { ...file!, ...(message ? { caption: message } : {}) } },
  }
}
