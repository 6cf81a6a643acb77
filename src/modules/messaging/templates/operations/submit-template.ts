/**
 * Submits a template (spec 4.4 `POST /templates`): records the intent, calls the operator, records the
 * answer. A submission with an unknown result is never repeated before the operator's list was read, so that
 * the operator has each template once (DECISIONS.md).
 */
import type { Context } from '../../../../core/context.ts'
import type { AnsweringContext } from '../../../../core/endpoint.ts'
import { Refusal } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import type { Answered, OperatorNumber, OperatorTemplate } from '../../../../operator/port.ts'
import { operatorRefusal } from '../../../../operator/refusals.ts'
import { getBusinessAccount } from '../../../platform/workspaces/operations/business-accounts.ts'
import {
  deleteTemplateRows,
  findTemplateRow,
  listTemplatesByKeyForUpdate,
  type TemplateRow,
  updateTemplateRows,
} from '../queries/templates.ts'
import type { NewTemplate } from '../schema.ts'
import { changed, statusOf, submitted } from './change-template.ts'
import { type Claim, claimName } from './claim-name.ts'
import { findAtOperator } from './find-at-operator.ts'
import { fromOperatorTemplate } from './from-operator-template.ts'
import { withSamples } from './header-samples.ts'
import { numberFor } from './speak-for-account.ts'

/** The operator's subcode for a name that already has this language. */
const DUPLICATE = 2388024

type Submission = {
  ctx: AnsweringContext<TemplateRow>
  claim: Claim
  number: OperatorNumber
  /** The operator may have the template, from an earlier request or from this one's call. */
  mayExist: boolean
}

/**
 * Submits a template and returns it as stored. Refuses with `conflict`, `invalid`, `invalid_reference`,
 * `meta_error` and similar.
 */
export async function submitTemplate(
  ctx: AnsweringContext<TemplateRow>,
  body: NewTemplate,
): Promise<TemplateRow> {
  const { claim, phoneNumberId } = await ctx.transaction(async (unit) => {
    const account = await getBusinessAccount(unit, body.wabaConnectionId)
    const key = {
      workspaceId: ctx.workspace.id,
      accountId: account.accountId,
      name: body.name,
      language: body.language,
    }
    return { claim: await claimName(unit, key, body), phoneNumberId: account.phoneNumberId }
  })
  return settle(ctx, claim, phoneNumberId, body)
}

async function settle(
  ctx: AnsweringContext<TemplateRow>,
  claim: Claim,
  phoneNumberId: string,
  body: NewTemplate,
): Promise<TemplateRow> {
  let submission: Submission | undefined
  try {
    submission = { ctx, claim, number: await numberFor(ctx, phoneNumberId), mayExist: claim.mayExist }
    const existing = claim.mayExist ? await findExisting(submission) : undefined
    return existing ? await adopt(submission, existing) : await askOperator(submission, body)
  } catch (error) {
    // If this fails too, the reservation expires, and the next request asks the operator first.
    const mayExist = submission?.mayExist ?? claim.mayExist
    await ctx.transaction((unit) => release(unit, claim, mayExist)).catch(() => {})
    throw error
  }
}

/** Finds an earlier, unconfirmed submission at the operator. */
async function findExisting({ ctx, claim, number }: Submission): Promise<OperatorTemplate | undefined> {
  const found = await findAtOperator(ctx, number, claim.row)
  if (found.kind !== 'done') throw operatorRefusal(found)
  return found.value
}

async function askOperator(submission: Submission, body: NewTemplate): Promise<TemplateRow> {
  const { ctx, claim, number } = submission
  const components = await withSamples(ctx, number, body.components)
  const { name, language, category, parameterFormat } = claim.row
  submission.mayExist = true
  const answered = await ctx.outside.operator.createTemplate(number, {
    name,
    language,
    category,
    parameterFormat,
    components,
    ttlSeconds: body.message_send_ttl_seconds ?? null,
  })
  if (answered.kind === 'done') {
    const { id, status, category: operatorCategory } = answered.value
    const knownStatus = statusOf(status)
    const outcome = {
      components,
      category: operatorCategory,
      metaTemplateId: id,
      status: knownStatus === undefined || knownStatus === 'deleted' ? ('pending' as const) : knownStatus,
    }
    return ctx.lastTransaction((unit) => record(unit, claim, outcome))
  }
  if (answered.kind === 'refused' && answered.error.subcode === DUPLICATE)
    return duplicate(submission, answered)
  if (answered.kind === 'unknown') return unknown(submission, answered)
  return refuse(submission, answered, false)
}

type Failed = Exclude<Answered<unknown>, { kind: 'done' }>

/**
 * Handles a template that the operator already has. From our own submission with a lost answer, it is the
 * result; from elsewhere, it is stored and named in the refusal.
 */
async function duplicate(submission: Submission, answered: Failed): Promise<TemplateRow> {
  const { ctx, claim, number } = submission
  const found = await findAtOperator(ctx, number, claim.row)
  if (found.kind !== 'done' || !found.value) throw operatorRefusal(answered)
  return adopt(submission, found.value, (row) =>
    claim.mayExist
      ? row
      : new Refusal(
          'conflict',
          `The operator already has the template ${row.name} (${row.language}). Parley now has it as ${row.id}.`,
          { id: row.id },
        ),
  )
}

/** Asks immediately whether the submission arrived; if still unknown, the next submission asks first. */
async function unknown(submission: Submission, answered: Failed): Promise<TemplateRow> {
  const { ctx, claim, number } = submission
  const found = await findAtOperator(ctx, number, claim.row)
  if (found.kind === 'done' && found.value) return adopt(submission, found.value)
  return refuse(submission, answered, true)
}

const refuse = ({ ctx, claim }: Submission, answered: Failed, mayExist: boolean): Promise<TemplateRow> =>
  ctx.lastTransaction(async (unit) => {
    await release(unit, claim, mayExist)
    return operatorRefusal(answered)
  })

/** Returns the answer for a recorded template. */
type AnswerOf = (row: TemplateRow) => TemplateRow | Refusal

/** Stores the operator's template under the reserved name. */
const adopt = (
  { ctx, claim }: Submission,
  template: OperatorTemplate,
  answerOf: AnswerOf = (row) => row,
): Promise<TemplateRow> =>
  ctx.lastTransaction(async (unit) => answerOf(await record(unit, claim, fromOperatorTemplate(template))))

/** Records the operator's answer, unless a webhook or a synchronization has recorded later news. */
async function record(unit: Context, claim: Claim, outcome: Partial<TemplateRow>): Promise<TemplateRow> {
  const [current] = await listTemplatesByKeyForUpdate(unit.tx, [claim.row])
  if (!current) return recordAgain(unit, claim, outcome)
  if (current.attempt !== claim.row.attempt) return current
  const { category, ...rest } = outcome
  // The category in the operator's answer is part of the submission, not a change of a stored template.
  const after = {
    ...changed(unit, { ...current, category: category ?? current.category }, rest),
    ...submitted,
  }
  await updateTemplateRows(unit.tx, [after])
  touch(unit, { template: after.id })
  return after
}

/** Stores the operator's template even if a request deleted the reservation meanwhile. */
async function recordAgain(unit: Context, claim: Claim, outcome: Partial<TemplateRow>): Promise<TemplateRow> {
  const row = { ...claim.row, ...outcome, ...submitted, updatedAt: unit.now }
  await updateTemplateRows(unit.tx, [row])
  touch(unit, { template: row.id })
  return row
}

/** Frees the name, or marks it as one that the operator may have. */
async function release(unit: Context, claim: Claim, mayExist: boolean): Promise<void> {
  const current = await findTemplateRow(unit, 'id', claim.row.id)
  if (current?.attempt !== claim.row.attempt || current?.submission !== 'submitting') return
  if (mayExist)
    await updateTemplateRows(unit.tx, [
      { ...current, submission: 'unconfirmed', attempt: null, submittingUntil: null },
    ])
  else await deleteTemplateRows(unit.tx, [current])
}
