/** One form with its design, and the answers of customers. */
import type { z } from 'zod'
import type { Context } from '../../../../core/context.ts'
import { refuse } from '../../../../core/errors.ts'
import { isUuid } from '../../../../core/ids.ts'
import { cutPage } from '../../../../core/paging.ts'
import { connectionIdOf } from '../../../platform/workspaces/operations/connection-id.ts'
import { type ChosenAnswers, listAnswerRows, listChosenAnswerRows } from '../queries/answers.ts'
import * as queries from '../queries/flows.ts'
import type { FlowAnswer, FlowDetails } from '../schema.ts'
import { presentFlow } from './read-flows.ts'

/** Returns a form by our id or the operator's. Refuses with `not_found`. */
export async function getFlow(ctx: Context, ref: string): Promise<queries.FlowRow> {
  const row = await queries.findFlowRow(
    ctx,
    isUuid(ref) ? 'id' : 'operatorId',
    isUuid(ref) ? ref.toLowerCase() : ref,
  )
  return row ?? refuse('not_found', 'Form not found. See GET /flows.')
}

/** Returns a stored form as `GET /flows/{id}` shows it. */
export const presentForm = (
  ctx: Pick<Context, 'workspace'>,
  row: queries.FlowRow,
): z.input<typeof FlowDetails> => ({
  ...presentFlow(row, connectionIdOf(ctx.workspace.id, row.accountId)),
  screens: row.screens as z.input<typeof FlowDetails>['screens'],
  faults: (row.faults ?? []) as string[],
})

/** Returns a page of the answers to a form, newest first: all of them, or those of a period and a value. */
export async function listAnswers(
  ctx: Context,
  ref: string,
  page: ChosenAnswers,
): Promise<{ answers: z.input<typeof FlowAnswer>[]; nextCursor: string | null }> {
  const { id } = await getFlow(ctx, ref)
  const isFiltered = page.from !== undefined || page.to !== undefined || page.field !== undefined
  const found = await (isFiltered ? listChosenAnswerRows : listAnswerRows)(ctx, id, page)
  const { rows, nextCursor } = cutPage(found, page.limit, (row) => row.id)
  return {
    answers: rows.map(({ id: messageId, contactId, conversationId, fields, createdAt }) => ({
      messageId,
      contactId,
      conversationId,
      fields: fields as Record<string, unknown>,
      createdAt: createdAt.toISOString(),
    })),
    nextCursor,
  }
}
