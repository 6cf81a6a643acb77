/**
 * Lets people work on submissions that didn't become leads automatically (DECISIONS.md "The lead-capture
 * link").
 */
import { isUtf8 } from 'node:buffer'
import type { Context } from '../../../../core/context.ts'
import { invalid, Refusal, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid } from '../../../../core/ids.ts'
import { cutPage } from '../../../../core/paging.ts'
import { cutText } from '../../../../core/values/cut-text.ts'
import { notANumber } from '../../../messaging/contacts/operations/settle-numbers.ts'
import {
  countSubmissionRows,
  findSubmissionRow,
  listSubmissionRows,
  type SubmissionRow,
  settleSubmissionRow,
} from '../queries/capture-submissions.ts'
import {
  MAPPABLE,
  OPEN_MAX,
  type SubmissionMapping,
  type SubmissionPatch,
  type SubmissionQuery,
} from '../submission-schema.ts'
import type { Answer } from './capture-answers.ts'
import { type CapturedFields, enquiryAnswers, readFields } from './capture-fields.ts'
import { captureEnquiries, settleEnquiries } from './capture-forms.ts'
import { rememberMapping } from './capture-mappings.ts'
import { isSecretAnswer } from './capture-secrets.ts'
import { getLead, showLead } from './find-lead.ts'

const MAX_PREVIEW = 200
const PREVIEW_ANSWERS = 5

const REASONS: Record<string, string> = {
  no_number: 'No phone number was found.',
  bad_number: "The phone number isn't valid.",
  test: 'A test of the connection.',
  robot: 'A robot filled in the hidden field.',
  empty: 'The submission was empty.',
}

async function getSubmission(ctx: Context, id: string): Promise<SubmissionRow> {
  return (
    (isUuid(id) ? await findSubmissionRow(ctx, id) : undefined) ??
    refuse('not_found', 'Submission not found. Submissions are kept for 30 days.')
  )
}

const answersIn = ({ content }: SubmissionRow): Answer[] => (content === null ? [] : enquiryAnswers(content))

const shownAnswers = (row: SubmissionRow): Answer[] =>
  answersIn(row).filter((answer) => !isSecretAnswer(answer))

const presentSummary = (row: SubmissionRow) => ({
  id: row.id,
  state: row.state,
  reason:
    row.reason === null ? null : { code: row.reason, message: REASONS[row.reason] ?? row.message ?? '' },
  form: row.form,
  preview: cutText(
    shownAnswers(row)
      .slice(0, PREVIEW_ANSWERS)
      .map(({ label, text }) => `${label}: ${text}`)
      .join(' · '),
    MAX_PREVIEW,
  ),
  times: row.times,
  leadId: row.leadId,
  receivedAt: row.receivedAt.toISOString(),
  lastReceivedAt: row.lastReceivedAt.toISOString(),
})

/** Returns the body as text to show: UTF-8, or one character per byte. */
const bodyText = (body: Buffer): string =>
  body
    .toString(isUtf8(body) ? 'utf8' : 'latin1')
    .replaceAll('\0', '')
    .toWellFormed()

const mappable = (meaning: string | undefined): string | null =>
  MAPPABLE.find((mappable) => mappable === meaning) ?? null

function fieldsOf(ctx: Context, row: SubmissionRow) {
  const answers = shownAnswers(row)
  const { meanings } = readFields(row.content ?? {}, ctx.workspace.countryCode, { guess: true, answers })
  const byPath = Map.groupBy(answers, ({ path }) => path)
  return [...byPath].map(([path, answersOfPath]) => ({
    path,
    label: answersOfPath[0]!.label,
    values: answersOfPath.map(({ text }) => text),
    suggestion: mappable(meanings[path]),
  }))
}

/** Returns one submission with all its data. */
export async function showSubmission(ctx: Context, id: string) {
  const row = await getSubmission(ctx, id)
  return {
    ...presentSummary(row),
    fields: fieldsOf(ctx, row),
    contentType: row.contentType,
    headers: row.headers,
    body: bodyText(row.body),
  }
}

/** Returns a page of submissions, newest first, and the number that need attention. */
export async function listSubmissions(ctx: Context, query: SubmissionQuery) {
  const [found, open] = await Promise.all([
    listSubmissionRows(ctx, query),
    countSubmissionRows(ctx, 'needs_attention', OPEN_MAX),
  ])
  const { rows, nextCursor } = cutPage(found, query.limit, (row) => row.id)
  return { submissions: rows.map(presentSummary), open, nextCursor }
}

/** Dismisses or restores a submission. Refuses a captured submission with `conflict`. */
export async function changeSubmission(ctx: Context, id: string, { state }: SubmissionPatch) {
  const row = await getSubmission(ctx, id)
  if (!(await settleSubmissionRow(ctx, { ...row, state }))) return alreadyLead()
  touch(ctx, { submission: row.id })
  return { ...presentSummary(row), state }
}

const alreadyLead = (): never => refuse('conflict', 'This submission is already a lead.')

/**
 * Creates a lead from a submission by the fields that a person chose, as the capture link does, and stores
 * the mapping for submissions of this shape. Refuses with `invalid` without a usable number, and with
 * `conflict` if the submission is a lead already.
 */
export async function mapSubmission(ctx: Context, id: string, mapping: SubmissionMapping) {
  const row = await getSubmission(ctx, id)
  if (row.state === 'captured') return alreadyLead()
  const answers = answersIn(row)
  refuseUnknownPaths(answers, mapping.fields)
  const fields = readMapped(ctx, row, answers, mapping)
  const [enquiry] = await settleEnquiries(ctx, [{ ctx, fields }])
  if (enquiry instanceof Refusal) throw numberRefusal(mapping, answers, enquiry)
  const [captured] = await captureEnquiries(ctx, [enquiry!])
  if (captured instanceof Refusal) throw captured
  // The same enquiry may have become a lead through another submission within 24 hours.
  const lead = captured?.lead ?? (await getLead(ctx, enquiry!.e164))
  const settledRow = { ...row, state: 'captured' as const, contactId: lead.contactId, leadId: lead.id }
  if (!(await settleSubmissionRow(ctx, settledRow))) return alreadyLead()
  if (mapping.remember && Object.keys(mapping.fields).length > 0)
    await rememberMapping(ctx, answers, row.form, mapping.fields)
  touch(ctx, { submission: row.id, lead: lead.id })
  return {
    created: captured?.created ?? false,
    lead: await showLead(ctx, lead, captured?.words),
    submission: { ...presentSummary({ ...settledRow, reason: null }) },
  }
}

function readMapped(
  ctx: Context,
  { content }: SubmissionRow,
  answers: Answer[],
  { fields: mapping, phone, name }: SubmissionMapping,
): CapturedFields {
  const read = readFields(content ?? {}, ctx.workspace.countryCode, { guess: true, answers, mapping })
  return {
    ...read,
    ...(phone === undefined ? {} : { phone, country: null }),
    ...(name === undefined || name.trim() === '' ? {} : { name: name.trim() }),
  }
}

function refuseUnknownPaths(answers: Answer[], fields: SubmissionMapping['fields']): void {
  const knownPaths = new Set(answers.map(({ path }) => path))
  const unknown = Object.keys(fields).filter((path) => !knownPaths.has(path))
  if (unknown.length > 0)
    throw invalid(
      unknown.map((path) => ({ path: `fields.${path}`, message: 'Must be a field of this submission.' })),
    )
}

/** Returns the refusal of a number, for the field that the person chose or typed. */
function numberRefusal({ phone, fields }: SubmissionMapping, answers: Answer[], refusal: Refusal): Refusal {
  if (phone !== undefined) return refusal
  const chosen = answers.find(({ path }) => fields[path] === 'phone')
  if (chosen !== undefined) return notANumber(`fields.${chosen.path}`, chosen.text)
  return invalid([
    { path: 'phone', message: 'Required: choose the field with the phone number, or enter it.' },
  ])
}
