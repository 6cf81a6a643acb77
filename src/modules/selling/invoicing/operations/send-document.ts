/**
 * Sends an issued document: into a chat, by mail, or as a link for the caller to pass on (spec 7.1, 4.10).
 */

import { DAY_MS, later } from '../../../../core/clock.ts'
import type { Context } from '../../../../core/context.ts'
import type { AnsweringContext } from '../../../../core/endpoint.ts'
import { invalid, Refusal, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { actingAs } from '../../../../core/source.ts'
import { moneyText } from '../../../../core/values/money.ts'
import { sendMessages } from '../../../messaging/messages/sending/operations/send-messages.ts'
import { queueMail } from '../../../platform/access/operations/queue-mail.ts'
import { Email } from '../../crm/schema.ts'
import { headingOf } from '../pages/document-view.ts'
import { updateDocumentRow } from '../queries/documents.ts'
import { documentTexts } from '../texts/texts.ts'
import { addToStory } from './announce.ts'
import { messageOf, planChat, type Sent } from './chat-plan.ts'
import { linkToSend } from './document-link.ts'
import { getDocument, holdDocument } from './find-document.ts'
import { sourceOf } from './shown-document.ts'
import { uploadPdf } from './upload-pdf.ts'

export type SentDocument = { messageId: string | null; url: string }

/** The time for which Parley retries the delivery of a mail. */
const MAIL_LIFE_MS = DAY_MS

/** Records that a document was sent. Locks it after the message's rows, in the common lock order. */
async function noteSent(ctx: Context, { id, kinds, body }: Sent, version: number): Promise<string> {
  const { document, lead } = await holdDocument(ctx, id, kinds)
  const url = linkToSend(ctx, document)
  if (document.version !== version)
    refuse('conflict', `${document.number} was revised. Check it and send it again.`)
  const sent = await updateDocumentRow(ctx, document.id, { sentAt: ctx.now })
  await addToStory(ctx, { document: sent, lead }, `${sent.kind}_sent`, { via: body.via })
  touch(ctx, { salesDocument: sent.id })
  return url
}

async function sendByMail(ctx: AnsweringContext<SentDocument>, sending: Sent): Promise<SentDocument> {
  if (ctx.outside.mailer === null)
    refuse(
      'conflict',
      "This installation can't send email. Send the link yourself, or ask its administrator to set PARLEY_SMTP_URL.",
    )
  return ctx.lastTransaction(async (txCtx) => {
    const document = await getDocument(txCtx, sending.id, sending.kinds)
    const url = linkToSend(txCtx, document)
    const to = sending.body.to ?? document.customer.email ?? ''
    if (!Email.safeParse(to).success)
      throw invalid([{ path: 'to', message: 'Must be an email address. The document has none.' }])
    const { document: shownDocument, basis, language } = await sourceOf(txCtx, document)
    const { t } = documentTexts(language)
    const seller = basis.seller?.legalName ?? txCtx.workspace.name
    const name = `${headingOf(shownDocument, language)} ${shownDocument.number}`
    const total = moneyText(shownDocument.totalMinor, shownDocument.currency, language)
    const mail = {
      to,
      subject: t('mail.subject', { document: name, seller }),
      lines: [
        ...(sending.body.message ? [sending.body.message, ''] : []),
        t('mail.line', { document: name, total }),
        url,
        '',
        seller,
      ],
    }
    const expiresAt = later(ctx.clock.now(), MAIL_LIFE_MS)
    await queueMail(txCtx.tx, mail, { sealer: txCtx.sealer, now: ctx.clock.now(), expiresAt })
    return { messageId: null, url: await noteSent(txCtx, sending, document.version) }
  })
}

async function sendByChat(ctx: AnsweringContext<SentDocument>, sending: Sent): Promise<SentDocument> {
  const plan = await ctx.transaction((txCtx) => planChat(txCtx, sending))
  const file = plan.needsFile ? await uploadPdf(ctx, plan) : undefined
  return ctx.lastTransaction(async (txCtx) => {
    const { id, number } = plan.source.document
    const source = { kind: 'invoice', id, name: number } as const
    const [sent] = await sendMessages([{ ctx: actingAs(txCtx, source), body: messageOf(plan, file) }])
    if (sent instanceof Refusal) throw sent
    return { messageId: sent!, url: await noteSent(txCtx, sending, plan.source.document.version) }
  })
}

/** Sends a document and records the time. */
export async function sendDocument(
  ctx: AnsweringContext<SentDocument>,
  sending: Sent,
): Promise<SentDocument> {
  if (sending.body.via === 'email') return sendByMail(ctx, sending)
  if (sending.body.via === 'chat') return sendByChat(ctx, sending)
  return ctx.lastTransaction(async (txCtx) => {
    const { version } = await getDocument(txCtx, sending.id, sending.kinds)
    return { messageId: null, url: await noteSent(txCtx, sending, version) }
  })
}
