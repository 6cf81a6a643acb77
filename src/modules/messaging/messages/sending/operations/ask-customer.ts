/** Questions that Parley sends automatically: choices in an open window, otherwise a template. */
import type { Context } from '../../../../../core/context.ts'
import { Refusal, refuseReference } from '../../../../../core/errors.ts'
import { cutText } from '../../../../../core/values/cut-text.ts'
import { holdOffErasures } from '../../../contacts/operations/erase-contact.ts'
import { describeContacts } from '../../../contacts/operations/find-contact.ts'
import { findReach } from '../../../conversations/operations/find-reach.ts'
import { isWindowOpen } from '../../../conversations/schema.ts'
import { type OwnValues, ownTemplate } from '../../../templates/operations/own-template.ts'
import { getTemplate } from '../../../templates/operations/read-templates.ts'
import type { SendBody } from '../send-schema.ts'
import { sendMessages } from './send-messages.ts'

/** A question to one customer; `phoneNumberId` undefined: from the default number. */
export type Question = {
  contactId: string
  phoneNumberId?: string | undefined
  windowExpiresAt: Date | null
  text: string
  /** Ids and titles of the choices. */
  rows: { id: string; title: string }[]
  /** The label that opens the list of choices; null: they are few and appear as buttons. */
  button: string | null
}

export type Template = Awaited<ReturnType<typeof getTemplate>>

/**
 * The template to use when the window is closed; `fill` returns its values for the question at that index.
 */
export type Fallback = { template: Template; fill?: (template: Template, index: number) => Filled }
export type Filled = Pick<OwnValues, 'body' | 'buttons'>

const NO_WAY = 'The 24-hour window is closed, and no template is set for this question.'

/** Returns the template in some settings. Refuses with `invalid_reference`. */
export async function requireTemplate(ctx: Context, templateId: string): Promise<Template> {
  try {
    return await getTemplate(ctx, templateId.toLowerCase())
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'not_found') throw error
    return refuseReference('templateId', 'Template not found. See GET /templates.')
  }
}

/** Returns the current template of some settings; undefined if it was deleted. */
export const findTemplate = (ctx: Context, templateId: string | null): Promise<Template | undefined> =>
  templateId === null ? Promise.resolve(undefined) : getTemplate(ctx, templateId).catch(ifMissing)

function ifMissing(error: unknown): undefined {
  if (error instanceof Refusal && error.code === 'not_found') return undefined
  throw error
}

/**
 * Returns each customer's chat with the latest end of a window, open or not; customers without a chat are
 * absent: the default number is used for them.
 */
export async function findReachable(
  ctx: Context,
  contactIds: string[],
): Promise<Map<string, { phoneNumberId: string; windowExpiresAt: Date | null }>> {
  const contacts = await describeContacts(
    ctx,
    contactIds.map((contactId) => ({ workspaceId: ctx.workspace.id, contactId })),
  )
  const keys = [...contacts.values()].map(({ phone }) => ({
    workspaceId: ctx.workspace.id,
    phone,
    userId: null,
  }))
  const found = new Map<string, { phoneNumberId: string; windowExpiresAt: Date | null }>()
  for (const reach of await findReach(ctx, keys)) {
    const chats = [...(reach?.conversations ?? [])].sort(
      ([, a], [, b]) => (b.windowExpiresAt?.getTime() ?? 0) - (a.windowExpiresAt?.getTime() ?? 0),
    )
    const [latest] = chats
    if (reach && latest)
      found.set(reach.contact.id, { phoneNumberId: latest[0], windowExpiresAt: latest[1].windowExpiresAt })
  }
  return found
}

/** The longest text above choices, in characters. */
const CHOICE_MAX = 1024

const choiceOf = ({ text: fullText, button, rows }: Question): Pick<SendBody, 'type' | 'payload'> => {
  const text = cutText(fullText, CHOICE_MAX)
  return {
    type: 'interactive',
    payload: {
      type: 'interactive',
      interactive:
        button === null
          ? {
              type: 'button',
              body: { text },
              action: { buttons: rows.map((reply) => ({ type: 'reply', reply })) },
            }
          : { type: 'list', body: { text }, action: { button, sections: [{ rows }] } },
    },
  }
}

const templateOf = ({ template, fill }: Fallback, index: number): Pick<SendBody, 'type' | 'payload'> => ({
  type: 'template',
  payload: {
    type: 'template',
    template: ownTemplate(template, fill?.(template, index) ?? {}),
  },
})

/**
 * Sends each question as an ordinary message, in order. Returns the message's id, or why it was not sent.
 * Erasures wait, so that no question creates a contact again.
 */
export async function askCustomers(
  ctx: Context,
  questions: Question[],
  fallback: Fallback | undefined,
): Promise<(string | Refusal)[]> {
  if (questions.length === 0) return []
  await holdOffErasures(ctx)
  const contacts = await describeContacts(
    ctx,
    questions.map(({ contactId }) => ({ workspaceId: ctx.workspace.id, contactId })),
  )
  const drafts = questions.map((question, index): SendBody | Refusal => {
    const contact = contacts.get(question.contactId)
    if (!contact) return new Refusal('not_found', 'The contact was erased.')
    const to = { to: contact.phone, phoneNumberId: question.phoneNumberId }
    if (isWindowOpen(question, ctx.now)) return { ...to, ...choiceOf(question) }
    return fallback ? { ...to, ...templateOf(fallback, index) } : new Refusal('outside_24h_window', NO_WAY)
  })
  const bodies = drafts.filter((draft): draft is SendBody => !(draft instanceof Refusal))
  const sent = bodies.length === 0 ? [] : await sendMessages(bodies.map((body) => ({ ctx, body })))
  const outcomes = new Map(bodies.map((body, i) => [body, sent[i]!]))
  return drafts.map((draft) => (draft instanceof Refusal ? draft : outcomes.get(draft)!))
}
