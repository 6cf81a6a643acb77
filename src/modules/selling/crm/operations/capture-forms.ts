/**
 * Captures enquiries from the capture link, many in one transaction (spec 1, 6.3,
 * DECISIONS.md "The lead-capture link").
 */
import type { Context, Unit } from '../../../../core/context.ts'
import { invalid, Refusal } from '../../../../core/errors.ts'
import { emit } from '../../../../core/event.ts'
import { notANumber, settleNumbers } from '../../../messaging/contacts/operations/settle-numbers.ts'
import { formSubmitted } from '../events.ts'
import { forgetSubmissions, rememberSubmissions, type SubmissionKey } from '../queries/submissions.ts'
import type { Answer } from './capture-answers.ts'
import { type CapturedFields, enquiryAnswers, type FieldMapping, readFields } from './capture-fields.ts'
import { beginCaptures, type Captured } from './capture-leads.ts'
import { mappingsOf, shapeOf } from './capture-mappings.ts'
import { keepSubmissions, type Sent, type SubmissionEntry } from './capture-store.ts'
import { asideReason, isPing, type SetAsideReason } from './capture-triage.ts'
import { digestOf } from './enquiry-digest.ts'

/**
 * One submission as it arrived, and its fields, or the error from reading them. `robot`: the hidden field was
 * filled in.
 */
export type FormItem = {
  ctx: Context
  sent: Sent
  fields: Record<string, unknown> | Refusal
  robot?: boolean
}
/** `repeated`: the same enquiry was sent again and has no effect. `aside`: a test, a robot, or empty. */
export type FormOutcome = { kind: 'captured' | 'repeated' | 'aside' }

/** An enquiry with its fields. */
export type ReadEnquiry = { ctx: Context; fields: CapturedFields; e164: string; digest: Buffer }

/**
 * Captures submissions. Returns one result per item, in order. Refusals: `invalid` without a usable number,
 * `plan_limit_reached`, and the error from reading a submission.
 */
export async function captureForms(items: FormItem[]): Promise<(FormOutcome | Refusal)[]> {
  const unit = items[0]!.ctx
  const checkedItems = items.map(classifyItem)
  const enquiries = checkedItems.filter((item): item is Enquiry => item.kind === 'enquiry')
  const read = await readEnquiries(unit, enquiries)
  const ready = read.filter((enquiry): enquiry is ReadEnquiry => !(enquiry instanceof Refusal))
  const captured = ready.length === 0 ? [] : await captureEnquiries(unit, ready)
  const byEnquiry = new Map(
    enquiries.map((enquiry, i) => [
      enquiry,
      { read: read[i]!, answer: captured[ready.indexOf(read[i] as ReadEnquiry)] },
    ]),
  )
  const submissions: SubmissionEntry[] = []
  const answers = checkedItems.map((item): FormOutcome | Refusal => {
    if (item.kind !== 'enquiry') {
      submissions.push(asideRow(item))
      return item.refusal ?? { kind: 'aside' }
    }
    const { read: found, answer } = byEnquiry.get(item)!
    const refusal = found instanceof Refusal ? found : answer instanceof Refusal ? answer : undefined
    if (refusal && isPing(item.answers)) {
      submissions.push(asideRow({ ...item, kind: 'aside', reason: 'test' }))
      return { kind: 'aside' }
    }
    submissions.push(
      refusal
        ? attentionRow(item, refusal)
        : capturedRow(item, found as ReadEnquiry, answer as Captured | undefined),
    )
    return refusal ?? { kind: answer === undefined ? 'repeated' : 'captured' }
  })
  await keepSubmissions(unit, submissions)
  return answers
}

type Enquiry = {
  kind: 'enquiry'
  item: FormItem
  values: Record<string, unknown>
  answers: Answer[]
  fields: CapturedFields
}
type Aside = { kind: 'aside'; item: FormItem; reason: SetAsideReason; refusal?: Refusal }

function classifyItem(item: FormItem): Enquiry | Aside {
  const { fields: values, ctx, robot } = item
  if (values instanceof Refusal) return { kind: 'aside', item, reason: values.code, refusal: values }
  if (robot) return { kind: 'aside', item, reason: 'robot' }
  const answers = enquiryAnswers(values)
  const reason = asideReason(answers, values)
  if (reason !== undefined) return { kind: 'aside', item, reason }
  const fields = readFields(values, ctx.workspace.countryCode, { guess: true, answers })
  return { kind: 'enquiry', item, values, answers, fields }
}

/** Applies people's mappings for submissions of the same shape, then settles every number. */
async function readEnquiries(unit: Unit, enquiries: Enquiry[]): Promise<(ReadEnquiry | Refusal)[]> {
  if (enquiries.length === 0) return []
  const mapped = enquiries.filter(({ item }) => item.ctx.workspace.mapsCaptures)
  if (mapped.length > 0) {
    const mappings = await mappingsOf(
      unit,
      mapped.map(({ item, answers, fields }) => ({ ctx: item.ctx, answers, form: fields.form })),
    )
    for (const [i, enquiry] of mapped.entries())
      if (mappings[i])
        enquiry.fields = rereadWith(enquiry.item.ctx, enquiry.values, enquiry.answers, mappings[i])
  }
  return settleEnquiries(
    unit,
    enquiries.map(({ item, fields }) => ({ ctx: item.ctx, fields })),
  )
}

/** Returns the same submission, read with a mapping. */
export const rereadWith = (
  ctx: Context,
  values: Record<string, unknown>,
  answers: Answer[],
  mapping: FieldMapping,
): CapturedFields => readFields(values, ctx.workspace.countryCode, { guess: true, answers, mapping })

/** Settles the numbers of enquiries. Returns `invalid` for enquiries without a number. */
export async function settleEnquiries(
  unit: Unit,
  enquiries: { ctx: Context; fields: CapturedFields }[],
): Promise<(ReadEnquiry | Refusal)[]> {
  const settledNumbers = await settleNumbers(
    unit,
    enquiries.map(({ ctx, fields: { phone, country } }) => ({
      workspace: ctx.workspace,
      text: phone ?? '',
      country,
    })),
  )
  return enquiries.map(({ ctx, fields }, i) => {
    const e164 = settledNumbers[i]?.phone
    if (e164 !== undefined) return { ctx, fields, e164, digest: digestOf(fields) }
    if (fields.phone !== null) return notANumber('phone', fields.phone)
    return invalid([{ path: 'phone', message: 'Required: send the phone number as phone, mobile, or tel.' }])
  })
}

/**
 * Creates leads from enquiries. An enquiry that was sent again within 24 hours creates none and has no
 * result.
 */
export async function captureEnquiries(
  unit: Unit,
  enquiries: ReadEnquiry[],
): Promise<(Captured | Refusal | undefined)[]> {
  const firsts = new Map<string, ReadEnquiry>()
  for (const enquiry of enquiries) if (!firsts.has(keyOf(enquiry))) firsts.set(keyOf(enquiry), enquiry)
  const [rememberedKeys, capture] = await Promise.all([
    rememberSubmissions(
      unit.tx,
      [...firsts.values()].map((enquiry) => ({ ...submissionOf(enquiry), submittedAt: enquiry.ctx.now })),
    ),
    beginCaptures([...firsts.values()].map(captureItem)),
  ])
  const newKeys = new Set(rememberedKeys.map(nameOfKey))
  const newEnquiries = [...firsts].filter(([key]) => newKeys.has(key)).map(([, enquiry]) => enquiry)
  const captured = newEnquiries.length === 0 ? [] : await capture(newEnquiries.map(captureItem))
  const answers = new Map(newEnquiries.map((enquiry, i) => [enquiry, captured[i]!]))
  const refusedEnquiries = newEnquiries.filter((enquiry) => answers.get(enquiry) instanceof Refusal)
  if (refusedEnquiries.length > 0) await forgetSubmissions(unit.tx, refusedEnquiries.map(submissionOf))
  return enquiries.map((enquiry) => {
    const answer = answers.get(enquiry)
    if (answer && !(answer instanceof Refusal)) announce(enquiry, answer)
    // Duplicates in one batch fail together with the first.
    const first = answers.get(firsts.get(keyOf(enquiry))!)
    return answer ?? (first instanceof Refusal ? first : undefined)
  })
}

const submissionOf = ({ ctx, e164, digest }: ReadEnquiry): SubmissionKey => ({
  workspaceId: ctx.workspace.id,
  phone: e164,
  digest,
})
const nameOfKey = ({ workspaceId, phone, digest }: SubmissionKey): string =>
  `${workspaceId} ${phone} ${digest.toString('base64')}`
const keyOf = (enquiry: ReadEnquiry): string => nameOfKey(submissionOf(enquiry))

const NO_LEAD = { contactId: null, leadId: null, phone: null, shape: null, content: null }

function asideRow({ item, reason, refusal }: Aside): SubmissionEntry {
  const fields = item.fields instanceof Refusal ? undefined : item.fields
  return {
    ...NO_LEAD,
    ctx: item.ctx,
    sent: item.sent,
    fields,
    state: refusal ? 'needs_attention' : 'dismissed',
    reason,
    message: refusal?.message ?? null,
    content: fields ?? null,
    form: null,
  }
}

function attentionRow({ item, values, answers, fields }: Enquiry, refusal: Refusal): SubmissionEntry {
  const reason =
    refusal.code !== 'invalid' ? refusal.code : fields.phone === null ? 'no_number' : 'bad_number'
  return {
    ...NO_LEAD,
    ctx: item.ctx,
    sent: item.sent,
    fields: values,
    state: 'needs_attention',
    reason,
    message: refusal.message,
    content: values,
    shape: shapeOf(answers, fields.form),
    form: fields.form,
  }
}

const capturedRow = (
  { item, values, fields }: Enquiry,
  { e164 }: ReadEnquiry,
  answer: Captured | undefined,
): SubmissionEntry => ({
  ...NO_LEAD,
  ctx: item.ctx,
  sent: item.sent,
  fields: values,
  state: 'captured',
  reason: null,
  message: null,
  form: fields.form,
  contactId: answer?.lead.contactId ?? null,
  leadId: answer?.lead.id ?? null,
  phone: e164,
})

const captureItem = ({ ctx, fields, e164 }: ReadEnquiry) => ({
  ctx,
  via: 'form' as const,
  form: fields.form,
  asked: fields.asked,
  body: {
    phone: e164,
    ...(fields.name === null ? {} : { name: fields.name }),
    ...(fields.email === null ? {} : { email: fields.email }),
    ...(fields.source === null ? {} : { source: fields.source }),
    ...(fields.note === null ? {} : { note: fields.note }),
    attributes: { ...fields.asked, ...fields.utm },
  },
})

function announce({ ctx, fields }: ReadEnquiry, { lead, created }: Captured): void {
  const { name, email, note, source, form, utm, extra } = fields
  const mainFields = { name, email, note, source, form }
  emit(
    ctx,
    formSubmitted,
    {
      leadId: lead.id,
      created,
      phone: lead.phone,
      ...mainFields,
      via: 'form',
      fields: {
        phone: lead.phone,
        ...Object.fromEntries(Object.entries(mainFields).filter(([, value]) => value !== null)),
        ...utm,
      },
      extra,
      submittedAt: ctx.now.toISOString(),
    },
    { contactId: lead.contactId },
  )
}
