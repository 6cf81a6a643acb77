/** Auto-replies, listed and changed by admins (DECISIONS.md). */
import type { Context } from '../../../../core/context.ts'
import { type Issue, invalid, invalidReference, refuse } from '../../../../core/errors.ts'
import { touch } from '../../../../core/event.ts'
import { isUuid, newId } from '../../../../core/ids.ts'
import { formatPath } from '../../../../core/issues.ts'
import { type CursorQuery, cutPage } from '../../../../core/paging.ts'
import { requireReadableNames, requireScope } from '../../../../core/scopes.ts'
import { placeholderNames } from '../../../../core/values/placeholder-names.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import {
  type AutoReplyRow,
  countAutoReplies,
  deleteAutoReplyRow,
  findAutoReply,
  listAutoReplyRows,
  listInOrder,
  lockAutoReplies,
  upsertAutoReply,
} from '../queries.ts'
import {
  AUTO_REPLIES_MAX,
  type AutoReplyPatch,
  checkAutoReply,
  type KeywordTest,
  type NewAutoReply,
  PATTERN_REPLIES_MAX,
} from '../schema.ts'
import { keywordFinder } from './keyword-match.ts'

const NUMBER_MISSING = 'Number not found. See GET /phone-numbers.'
const refuseMissing = (): never => refuse('not_found', 'Auto-reply not found. See GET /auto-replies.')

const present = (row: AutoReplyRow) => ({
  ...row,
  validFrom: row.validFrom?.toISOString() ?? null,
  validUntil: row.validUntil?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
})

/** Returns a page of auto-replies, newest first. */
export async function listAutoReplies(ctx: Context, page: CursorQuery) {
  const { rows, nextCursor } = cutPage(await listAutoReplyRows(ctx, page), page.limit, (row) => row.id)
  return { autoReplies: rows.map(present), nextCursor }
}

const getAutoReply = async (ctx: Context, id: string): Promise<AutoReplyRow> =>
  (isUuid(id) ? await findAutoReply(ctx, id) : undefined) ?? refuseMissing()

/** Returns an auto-reply. Refuses `not_found` alike for an unknown id and an id of another workspace. */
export const readAutoReply = async (ctx: Context, id: string) => present(await getAutoReply(ctx, id))

/** Returns all auto-replies, in the order in which those of a kind are checked. */
export const listAllReplies = (ctx: Context): Promise<AutoReplyRow[]> => listInOrder(ctx)

/** Refuses numbers that the workspace does not have. */
async function checkNumbers(ctx: Context, phoneNumberIds: string[] | null): Promise<void> {
  if (phoneNumberIds === null) return
  const knownIds = new Set((await listNumbers(ctx, [ctx.workspace.id])).map(({ id }) => id))
  const issues = phoneNumberIds.flatMap((id, index): Issue[] =>
    knownIds.has(id) ? [] : [{ path: `phoneNumberIds[${index}]`, message: NUMBER_MISSING }],
  )
  if (issues.length > 0) throw invalidReference(issues)
}

/** Returns the number that receives a message: the given one, otherwise the first; '' without any number. */
export async function findReceivingNumber(ctx: Context, phoneNumberId: string | null): Promise<string> {
  const numbers = await listNumbers(ctx, [ctx.workspace.id])
  if (phoneNumberId !== null && !numbers.some(({ id }) => id === phoneNumberId))
    throw invalidReference([{ path: 'phoneNumberId', message: NUMBER_MISSING }])
  return phoneNumberId ?? numbers[0]?.id ?? ''
}

/** Requires from a key with scopes those for sending and for the customer data in the text (spec 5.5). */
function requireScopesOf(ctx: Context, { reply }: Pick<NewAutoReply, 'reply'>): void {
  requireScope(ctx, 'messages:send', 'An auto-reply')
  requireReadableNames(ctx, placeholderNames(reply))
}

function refuseAnotherPattern({ withPatterns }: { withPatterns: number }): void {
  if (withPatterns >= PATTERN_REPLIES_MAX)
    refuse(
      'conflict',
      `The limit of auto-replies with regular expressions is reached (${PATTERN_REPLIES_MAX}). Delete one first.`,
    )
}

/** Creates an auto-reply. Refuses `conflict` at a limit. */
export async function createAutoReply(ctx: Context, body: NewAutoReply) {
  requireScopesOf(ctx, body)
  await lockAutoReplies(ctx)
  await checkNumbers(ctx, body.phoneNumberIds)
  const counts = await countAutoReplies(ctx)
  if (counts.count >= AUTO_REPLIES_MAX)
    refuse('conflict', `Auto-reply limit reached (${AUTO_REPLIES_MAX}). Delete one first.`)
  if (body.match === 'regex') refuseAnotherPattern(counts)
  const row = { ...body, workspaceId: ctx.workspace.id, id: newId(), createdAt: ctx.now, updatedAt: ctx.now }
  await upsertAutoReply(ctx, row)
  touch(ctx, { autoReply: row.id })
  return present(row)
}

/** Changes an auto-reply: replaces the given fields. */
export async function changeAutoReply(ctx: Context, id: string, patch: AutoReplyPatch) {
  await lockAutoReplies(ctx)
  const before = await getAutoReply(ctx, id)
  const changes = Object.fromEntries(Object.entries(patch).filter(([, value]) => value !== undefined))
  if (Object.keys(changes).length === 0) return present(before)
  const after: AutoReplyRow = { ...before, ...changes, updatedAt: ctx.now }
  const issues: Issue[] = []
  checkAutoReply(after, (path, message) => issues.push({ path: formatPath(path), message }))
  if (issues.length > 0) throw invalid(issues)
  if (after.match === 'regex' && before.match !== 'regex') refuseAnotherPattern(await countAutoReplies(ctx))
  if (patch.phoneNumberIds !== undefined) await checkNumbers(ctx, after.phoneNumberIds)
  // Turning on an auto-reply sends its text, so that needs the scopes too.
  if (Object.keys(changes).some((name) => name !== 'enabled') || (after.enabled && !before.enabled))
    requireScopesOf(ctx, after)
  await upsertAutoReply(ctx, after)
  touch(ctx, { autoReply: after.id })
  return present(after)
}

/** Deletes an auto-reply. */
export async function deleteAutoReply(ctx: Context, id: string): Promise<void> {
  if (!isUuid(id) || (await deleteAutoReplyRow(ctx, id)) === 0) refuseMissing()
  touch(ctx, { autoReply: id })
}

/** Tests keywords with an example of a message, without storing anything. */
export function testKeywords({ keywords, match, text }: KeywordTest) {
  const keyword = keywordFinder(text)(keywords, match) ?? null
  return { matches: keyword !== null, keyword }
}
