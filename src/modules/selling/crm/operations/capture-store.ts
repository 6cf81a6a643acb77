/** Stores submissions at the capture link as they arrived (DECISIONS.md "The lead-capture link"). */
import { beforeCommit, type Context, type Unit } from '../../../../core/context.ts'
import { touch } from '../../../../core/event.ts'
import { newId } from '../../../../core/ids.ts'
import { sha256 } from '../../../../core/values/digest.ts'
import { readNumber } from '../../../../core/values/phone.ts'
import { enqueueAll } from '../../../../database/sql/enqueue-jobs.ts'
import { notifyOfSubmission } from '../jobs.ts'
import { dropOverflow, type NewSubmissionRow, storeSubmissions } from '../queries/capture-submissions.ts'

/** A submission as it arrived. `sender`: the sender, as text. */
export type Sent = {
  body: Buffer
  contentType: string | null
  headers: Record<string, string>
  sender: string
}

/** The result of one submission. */
export type SubmissionEntry = Pick<
  NewSubmissionRow,
  'state' | 'reason' | 'message' | 'content' | 'shape' | 'form'
> & {
  ctx: Context
  sent: Sent
  /** The fields; undefined if the submission could not be read. */
  fields: Record<string, unknown> | undefined
  contactId: string | null
  leadId: string | null
  /** The number of an enquiry that was recognized as a repeat. */
  phone: string | null
}

/** Maximum number of submissions without a lead, per sender and per workspace. The oldest are deleted. */
const MAX_ASIDE = { ofSender: 100, ofWorkspace: 1_000 }
const MAX_PHONES = 20
/** A run of digits as people write a number. */
const DIGITS = /[+\p{Nd}][\p{Nd}\s().-]{5,24}\p{Nd}/gu

/** Returns the numbers in E.164 that a text may contain, anywhere in it. */
export function phonesIn(text: string, countryCode: string): string[] {
  const found = new Set<string>()
  for (const [digits] of text.matchAll(DIGITS)) {
    if (found.size >= MAX_PHONES) break
    const { fresh, stored } = readNumber(digits, { countryCode })
    for (const phone of [fresh, ...stored]) if (phone !== undefined) found.add(phone)
  }
  return [...found].slice(0, MAX_PHONES)
}

function rowOf(submission: SubmissionEntry): NewSubmissionRow {
  const { ctx, sent, fields, phone, contactId } = submission
  const json = fields === undefined ? undefined : JSON.stringify(fields)
  const submittedPhones = phone === null ? [] : [phone]
  const otherPhones =
    contactId === null && phone === null
      ? phonesIn(json ?? sent.body.toString(), ctx.workspace.countryCode)
      : []
  return {
    workspaceId: ctx.workspace.id,
    // Multipart bodies have a different boundary each time.
    digest: json === undefined ? sha256(sent.body) : sha256(json),
    id: newId(),
    state: submission.state,
    reason: submission.reason,
    message: submission.message,
    body: sent.body,
    contentType: sent.contentType,
    headers: sent.headers,
    content: submission.content,
    shape: submission.shape,
    form: submission.form,
    sender: sha256(`${ctx.workspace.id} ${sent.sender}`).subarray(0, 16),
    times: 1,
    receivedAt: ctx.now,
    contactId,
    leadId: submission.leadId,
    phones: contactId === null ? [...submittedPhones, ...otherPhones] : null,
  }
}

/** Merges rows with one digest. A captured row takes precedence. */
function mergeDuplicates(
  rows: { row: NewSubmissionRow; ctx: Context }[],
): { row: NewSubmissionRow; ctx: Context }[] {
  const byDigest = new Map<string, { row: NewSubmissionRow; ctx: Context }>()
  for (const item of rows) {
    const key = `${item.row.workspaceId} ${item.row.digest.toString('base64')}`
    const before = byDigest.get(key)
    if (!before) byDigest.set(key, item)
    else {
      const preferred = before.row.leadId === null && item.row.leadId !== null ? item : before
      byDigest.set(key, { ...preferred, row: { ...preferred.row, times: before.row.times + item.row.times } })
    }
  }
  return [...byDigest.values()]
}

/**
 * Stores submissions in one statement. If all became leads, the commit doesn't wait for it. The first
 * submission that needs attention notifies the team.
 */
export async function keepSubmissions(unit: Unit, submissions: SubmissionEntry[]): Promise<void> {
  if (submissions.length === 0) return
  const rows = mergeDuplicates(
    submissions.map((submission) => ({ row: rowOf(submission), ctx: submission.ctx })),
  )
  const rowsWritten = storeSubmissions(
    unit.tx,
    rows.map(({ row }) => row),
  )
  if (rows.every(({ row }) => row.state === 'captured')) return beforeCommit(unit, rowsWritten)
  const newIds = new Set((await rowsWritten).map(({ id }) => id))
  const newRows = rows.filter(({ row }) => row.state !== 'captured' && newIds.has(row.id))
  if (newRows.length === 0) return
  await dropOverflow(
    unit.tx,
    newRows.map(({ row }) => row),
    MAX_ASIDE,
  )
  const open = newRows.filter(({ row }) => row.state === 'needs_attention')
  for (const { ctx, row } of open) touch(ctx, { submission: row.id })
  const first = new Map(open.map((submission) => [submission.row.workspaceId, submission]))
  await enqueueAll(
    notifyOfSubmission,
    [...first.values()].map(({ ctx, row }) => ({
      ctx,
      payload: { submissionId: row.id },
    })),
  )
}
