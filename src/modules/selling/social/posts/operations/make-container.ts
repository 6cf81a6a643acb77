/** The first steps of publishing: files and caption are sent to the network, which does not show them yet. */
import { HOUR_MS, later, SECOND_MS, workspaceTime } from '../../../../../core/clock.ts'
import type { OutsideContext } from '../../../../../core/context.ts'
import type { Answered, NewContainer } from '../../../../../social-network/port.ts'
import { listMediaRows, type MediaRow } from '../queries/media.ts'
import { type PartRow, updatePartContainers } from '../queries/posts.ts'
import { linkableFile } from './find-post-file.ts'
import type { Publication } from './publish-post.ts'
import {
  continueLater,
  failed,
  failureOf,
  isTemporary,
  type Outcome,
  retryLater,
} from './publishing-outcome.ts'

/** The time in which the network may fetch a file by its address. */
const LINK_MS = 2 * HOUR_MS

type Failed = Exclude<Answered<unknown>, { kind: 'done' }>

/**
 * Sends the files and the caption to the network. A container with a lost answer is never published and
 * expires within a day.
 */
export async function makeContainer(ctx: OutsideContext, publication: Publication): Promise<Outcome> {
  const { run, row, parts, account } = publication
  const quota = await ctx.outside.socialNetwork.findPublishingQuota(account)
  if (quota.kind !== 'done') return givenUp(publication, quota)
  if (quota.value.used >= quota.value.total)
    return failed(run, { message: quotaWords(quota.value), code: null })
  const files = await addressesOf(ctx, parts)
  if (!files) return failed(run, { message: 'A file of the post was deleted.', code: null })
  const children = row.kind === 'carousel' ? await makeChildren(ctx, publication, files) : { made: [] }
  if (children.failure)
    return keepingChildren(publication, children.made, givenUp(publication, children.failure))
  const container = containerOf(publication, files, children.made)
  const answer = await ctx.outside.socialNetwork.createContainer(account, container)
  if (answer.kind !== 'done') return keepingChildren(publication, children.made, givenUp(publication, answer))
  return async (txCtx) =>
    continueLater(run, { accountId: account.id, containerId: answer.value.id, containerMadeAt: txCtx.now })(
      txCtx,
    )
}

const quotaWords = ({ total, durationSeconds }: { total: number; durationSeconds: number }): string =>
  `The account has reached the network's limit of ${total} posts in ${Math.round(durationSeconds / 3_600)} hours. Publish it later.`

const givenUp = ({ run, row }: Publication, answer: Failed): Outcome =>
  isTemporary(answer) ? retryLater(run, row, answer) : failed(run, failureOf(answer))

type Child = { position: number; containerId: string }

/** Parts that the network has already accepted are not sent again. */
const keepingChildren =
  ({ run }: Publication, children: Child[], outcome: Outcome): Outcome =>
  async (ctx) => {
    if (children.length > 0) await updatePartContainers(ctx, run.postId, children)
    return outcome(ctx)
  }

/** Creates a container for each photo of a carousel without one, in order. */
async function makeChildren(
  ctx: OutsideContext,
  { parts, account }: Publication,
  files: string[],
): Promise<{ made: Child[]; failure?: Failed }> {
  const children: Child[] = []
  for (const [i, { position, containerId }] of parts.entries()) {
    if (containerId === null) {
      const child = await ctx.outside.socialNetwork.createContainer(account, {
        kind: 'carousel_item',
        imageUrl: files[i]!,
      })
      if (child.kind !== 'done') return { made: children, failure: child }
      children.push({ position, containerId: child.value.id })
    } else children.push({ position, containerId })
  }
  return { made: children }
}

function containerOf({ row }: Publication, files: string[], children: Child[]): NewContainer {
  const caption = row.caption === '' ? null : row.caption
  if (row.kind === 'carousel')
    return { kind: 'carousel', children: children.map(({ containerId }) => containerId), caption }
  return row.kind === 'reel'
    ? { kind: 'reel', videoUrl: files[0]!, caption }
    : { kind: 'image', imageUrl: files[0]!, caption }
}

/** Returns a signed public address of our copy of each file; undefined if a file no longer exists. */
async function addressesOf(ctx: OutsideContext, parts: PartRow[]): Promise<string[] | undefined> {
  const { workspace, clock, outside } = ctx
  const rows = await ctx.transaction((txCtx) =>
    listMediaRows(
      txCtx,
      parts.map(({ mediaId }) => mediaId),
    ),
  )
  const rowsById = new Map(rows.map((row) => [row.id, row]))
  const media = parts.map(({ mediaId }) => rowsById.get(mediaId))
  if (!media.every((row): row is MediaRow => row !== undefined)) return undefined
  const expiresAt = later(workspaceTime(clock, workspace), LINK_MS)
  return Promise.all(
    media.map((row) => outside.linkToFile(linkableFile(row), { expiresAt, seconds: LINK_MS / SECOND_MS })),
  )
}
