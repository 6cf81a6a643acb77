/** Checks whether a message may be sent, without asking the operator (spec 4.2). Pure functions. */
import { type Issue, invalidReference, Refusal } from '../../../../../core/errors.ts'
import { type CarriedFile, filesOfComponents } from '../../../../../operator/message-payload/carried-files.ts'
import { TemplateComponents } from '../../../../../operator/message-payload/template.ts'
import { refuseRestricted } from '../../../../platform/workspaces/operations/restrictions.ts'
import { refusalOf } from '../../../contacts/operations/refusal-rule.ts'
import { isWindowOpen } from '../../../conversations/schema.ts'
import { buildTemplateContent } from '../../../templates/operations/build-template.ts'
import { freeFormContent, templateOf } from '../send-schema.ts'
import { filesOf, refuseFiles, withOperatorIds } from './carried-files.ts'
import { answeredBy, type Findings } from './send-findings.ts'
import type { Routed } from './send-route.ts'

/**
 * The stored content of a message that may be sent: its payload, and a template's body as the customer reads
 * it.
 */
export type Sendable = { content: Record<string, unknown>; templateText: string | null }

const TEMPLATE = 'payload.template'

/**
 * Returns the refusal of a send, or its content. A template opens a conversation; all other types need an
 * open window.
 */
export function judgeSend(item: Routed, found: Findings): Sendable | Refusal {
  const restricted = refuseInitiated(item, found)
  if (restricted) return restricted
  const content = contentOf(item, found)
  if (content instanceof Refusal) return content
  for (const check of LATER_CHECKS) {
    const refusal = check(item, found)
    if (refusal) return refusal
  }
  return content
}

/** Returns every refusal of a send, in the order of `judgeSend`, and its content if it has one. */
export function explainSend(
  item: Routed,
  found: Findings,
): { refusals: Refusal[]; sendable: Sendable | undefined } {
  const content = contentOf(item, found)
  const isRefused = content instanceof Refusal
  const refusals = [
    refuseInitiated(item, found),
    isRefused ? content : undefined,
    ...LATER_CHECKS.map((check) => check(item, found)),
  ]
  return {
    refusals: refusals.filter((refusal) => refusal !== undefined),
    sendable: isRefused ? undefined : content,
  }
}

const contentOf = (item: Routed, found: Findings): Sendable | Refusal =>
  item.body.type === 'template' ? templateContentOf(item, found) : freeFormContentOf(item, found)

function freeFormContentOf({ ctx, body, composed, number }: Routed, { files }: Findings): Sendable | Refusal {
  return (
    refuseFiles(filesOf(body), files, { ...number, now: ctx.now }) ?? {
      content:
        composed?.content ?? freeFormContent({ ...body, payload: withOperatorIds(body.payload, files) }),
      templateText: null,
    }
  )
}

function templateContentOf({ ctx, body, number }: Routed, { template, files }: Findings): Sendable | Refusal {
  const input = templateOf(body)!
  const built = buildTemplateContent(template, input, { now: ctx.now, at: TEMPLATE })
  if (built instanceof Refusal) return built
  const { components, ...named } = built.content
  const form = TemplateComponents.optional().safeParse(components)
  if (!form.success) return badParameters(form.error.issues, TEMPLATE)
  const carried = filesOfComponents(form.data ?? [], `${TEMPLATE}.components`)
  return (
    refuseFiles(input.components ? carried : atHeaderMedia(carried), files, { ...number, now: ctx.now }) ?? {
      content: form.data ? { ...named, components: withOperatorIds(form.data, files) } : named,
      templateText: built.text,
    }
  )
}

/** Places the files of a filled template at the caller's field. */
const atHeaderMedia = (carried: CarriedFile[]): CarriedFile[] =>
  carried.map((file) => {
    const card = /\.cards\[\d+\]/.exec(file.path)?.[0] ?? ''
    return { ...file, path: `${TEMPLATE}${card}.headerMedia.id` }
  })

/** Returns the refusal of components that the operator would not accept; `parentPath`: that of their parent. */
export function badParameters(faults: { path: PropertyKey[]; message: string }[], parent: string): Refusal {
  const issues: Issue[] = faults.map(({ path, message }) => ({
    path:
      `${parent}.components` +
      path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join(''),
    message,
  }))
  const words = issues.map((issue) => `${issue.path}: ${issue.message}`).join(' ')
  return new Refusal('invalid_template_parameters', words, { issues })
}

/** Checks the customer's consent and the business's block. */
export function refuseContact(contact: Findings['contact']): Refusal | undefined {
  const reason = contact && refusalOf(contact)
  if (reason === undefined) return undefined
  return reason === 'blocked'
    ? new Refusal('contact_opted_out', 'The contact is blocked. Nothing was sent. Unblock the contact first.')
    : new Refusal('contact_opted_out', 'The customer opted out of messages. Nothing was sent.')
}

const isOpen = ({ conversation }: Findings, now: Date): boolean =>
  conversation !== undefined && isWindowOpen(conversation, now)

/**
 * Returns the operator's restriction that applies: in an open window that of answers, otherwise that of
 * messages that begin a conversation, which only templates do.
 */
function refuseInitiated({ ctx, body, number }: Routed, found: Findings): Refusal | undefined {
  if (isOpen(found, ctx.now)) return refuseRestricted(number, 'customer_initiated', ctx.now)
  return body.type === 'template' ? refuseRestricted(number, 'business_initiated', ctx.now) : undefined
}

function refuseParties({ ctx, body, recipient }: Routed, found: Findings): Refusal | undefined {
  if (body.type === 'template') {
    const hasNumber = recipient.phone !== null || found.contact?.phone.startsWith('+')
    return found.template?.category === 'AUTHENTICATION' && !hasNumber
      ? new Refusal(
          'needs_phone_number',
          'A verification code can be sent only to a phone number, and this customer has none. Send it another way.',
        )
      : undefined
  }
  if (isOpen(found, ctx.now)) return undefined
  const expires = found.conversation?.windowExpiresAt
  return new Refusal(
    'outside_24h_window',
    expires
      ? `The 24-hour window closed at ${expires.toISOString()}. Send an approved template.`
      : "The customer hasn't written to this number within 24 hours. Send an approved template.",
  )
}

/** Replies and reactions need a message of the same conversation. */
function refuseAnswer(item: Routed, found: Findings): Refusal | undefined {
  if (answeredBy(item) === undefined || found.answeredIn === found.conversation?.id) return undefined
  const path = item.body.type === 'reaction' ? 'payload.reaction.message_id' : 'replyTo'
  const message = 'Message not found in this conversation. Use a `chanmid` from GET /messages.'
  return invalidReference([{ path, message }])
}

/** The checks after that of the content, in their order. */
const LATER_CHECKS: readonly ((item: Routed, found: Findings) => Refusal | undefined)[] = [
  (_, { contact }) => refuseContact(contact),
  refuseParties,
  refuseAnswer,
]
