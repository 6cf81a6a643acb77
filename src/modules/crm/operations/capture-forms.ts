/** Enquiries that come in through the capture link (spec 1, 6.3, docs/decisions/lead-capture.md), many in one transaction. */
import type { Context, Unit } from '../../../core/context.ts'
import { sha256 } from '../../../core/digest.ts'
import { invalid, Refusal } from '../../../core/errors.ts'
import { emit } from '../../../core/event.ts'
import { notANumber, settleNumbers } from '../../contacts/operations/settle-numbers.ts'
import { formSubmitted } from '../events.ts'
import { forgetSubmissions, rememberSubmissions, type SubmissionKey } from '../queries/submissions.ts'
import { type CapturedFields, readFields } from './capture-fields.ts'
import { beginCaptures, type Captured } from './capture-leads.ts'

/** One enquiry: the form's fields as they came. */
export type FormItem = { ctx: Context; values: Record<string, unknown> }
/** `repeated`: the same enquiry was sent again; nothing was done. */
export type FormOutcome = { repeated: boolean }

type Read = FormItem & { fields: CapturedFields; e164: string; digest: Buffer }

const submissionOf = ({ ctx, e164, digest }: Read): SubmissionKey => ({
  workspaceId: ctx.workspace.id,
  phone: e164,
  digest,
})
const keyOf = ({ workspaceId, phone, digest }: SubmissionKey): string =>
  `${workspaceId} ${phone} ${digest.toString('base64')}`

/** Takes enquiries in: one answer an item, in order. Refusals: `invalid` without a usable number, `plan_limit_reached`. */
export async function captureForms(items: FormItem[]): Promise<(FormOutcome | Refusal)[]> {
  const unit = items[0]!.ctx
  const read = await readItems(unit, items)
  const firsts = new Map<string, Read>()
  for (const item of read)
    if (!(item instanceof Refusal) && !firsts.has(itemKey(item))) firsts.set(itemKey(item), item)
  if (firsts.size === 0) return read as Refusal[]
  const [remembered, capture] = await Promise.all([
    rememberSubmissions(
      unit.tx,
      [...firsts.values()].map((item) => ({ ...submissionOf(item), submittedAt: item.ctx.now })),
    ),
    beginCaptures([...firsts.values()].map(captureItem)),
  ])
  const news = new Set(remembered.map(keyOf))
  const fresh = [...firsts].filter(([key]) => news.has(key)).map(([, item]) => item)
  const captured = fresh.length === 0 ? [] : await capture(fresh.map(captureItem))
  const answers = new Map(fresh.map((item, i) => [item, captured[i]!]))
  const refused = fresh.filter((item) => answers.get(item) instanceof Refusal)
  if (refused.length > 0) await forgetSubmissions(unit.tx, refused.map(submissionOf))
  return read.map((item) => {
    if (item instanceof Refusal) return item
    const answer = answers.get(item)
    if (answer instanceof Refusal) return answer
    if (answer) announce(item, answer)
    return { repeated: answer === undefined }
  })
}

const itemKey = (item: Read): string => keyOf(submissionOf(item))

async function readItems(unit: Unit, items: FormItem[]): Promise<(Read | Refusal)[]> {
  const read = items.map(({ ctx, values }) => readFields(values, ctx.workspace.countryCode, { guess: true }))
  const settled = await settleNumbers(
    unit,
    read.map(({ phone, country }, i) => ({ workspace: items[i]!.ctx.workspace, text: phone ?? '', country })),
  )
  return items.map((item, i) => {
    const fields = read[i]!
    const e164 = settled[i]?.phone
    if (e164 !== undefined) return { ...item, fields, e164, digest: digestOf(fields) }
    if (fields.phone !== null) return notANumber('phone', fields.phone)
    return invalid([{ path: 'phone', message: 'is required: send the phone number as phone, mobile or tel' }])
  })
}

/** What an enquiry says, whatever its fields are called, in whatever order they come and however the number is written. */
function digestOf({ name, email, note, source, form, utm, extra }: CapturedFields): Buffer {
  const content = JSON.stringify([name, email, note, source, form, utm, extra].map(inOneForm))
  return sha256(content)
}

/** A value in the form that it has whether it comes as JSON or out of a form, which knows texts alone and ends lines its own way. */
function inOneForm(value: unknown): unknown {
  if (typeof value === 'string') return value.trim().replaceAll('\r\n', '\n')
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value)) return value.map(inOneForm)
  if (typeof value !== 'object' || value === null) return null
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => [key, inOneForm(one)])
}

const captureItem = ({ ctx, fields, e164 }: Read) => ({
  ctx,
  via: 'form' as const,
  form: fields.form,
  body: {
    phone: e164,
    ...(fields.name === null ? {} : { name: fields.name }),
    ...(fields.email === null ? {} : { email: fields.email }),
    ...(fields.source === null ? {} : { source: fields.source }),
    ...(fields.note === null ? {} : { note: fields.note }),
    attributes: fields.utm,
  },
})

function announce({ ctx, fields }: Read, { lead, created }: Captured): void {
  const { phone: _, utm, extra, ...named } = fields
  emit(
    ctx,
    formSubmitted,
    {
      leadId: lead.id,
      created,
      phone: lead.phone,
      name: named.name,
      email: named.email,
      form: named.form,
      source: named.source,
      via: 'form',
      note: named.note,
      fields: {
        phone: lead.phone,
        ...Object.fromEntries(Object.entries(named).filter(([, value]) => value !== null)),
        ...utm,
      },
      extra,
      submittedAt: ctx.now.toISOString(),
    },
    { contactId: lead.contactId },
  )
}
