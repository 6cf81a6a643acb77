/** Applies gateways' reports, each once; a failing report delays no other. */
import { type Clock, later, SECOND_MS } from '../../../../core/clock.ts'
import { type Database, platformContext, type Workspace } from '../../../../core/context.ts'
import { type DueMoment, dueAt, type MovingClock, runOffsetOf } from '../../../../core/due.ts'
import type { WorkSource } from '../../../../core/work.ts'
import type { GatewayReport } from '../../../../payment-gateway/port.ts'
import { applyGatewayReports, GATEWAY_POSTS } from '../operations/gateway-reports.ts'
import {
  alignPosts,
  type DuePost,
  findNextPostDue,
  listWorkspacesWithPosts,
  markApplied,
  setBackPost,
  takeDuePosts,
} from '../queries/gateway-posts.ts'

export type GatewayPostsOptions = {
  database: Database
  clock: Clock
  workspaces(ids: string[]): Promise<Map<string, Workspace>>
  /** Translates a report of the gateway. */
  readGatewayEvent(body: unknown): GatewayReport[]
  /** Called for events on which Parley does not act, with only their name. */
  onUnrecognized(workspaceId: string, event: string): void
  onError(error: unknown): void
}

const MAX_AT_ONCE = 50
const MAX_WORKSPACES = 50
const RETRY_SECONDS = [1, 5, 30, 120, 600, 3_600]

export function gatewayPostsSource(options: GatewayPostsOptions): WorkSource {
  const { database, clock } = options

  /**
   * Applies at most `limit` due reports of a workspace in one transaction. After a failure, returns the error
   * and the reports of that transaction.
   */
  const apply = async (workspace: Workspace, due: DueMoment, limit: number) => {
    let posts: DuePost[] = []
    try {
      await database.tenant(workspace, async (unit) => {
        posts = await takeDuePosts(unit.tx, { due, workspaceId: workspace.id, limit })
        if (posts.length === 0) return
        const ctx = platformContext(unit, workspace, clock)
        const reports = posts.flatMap(({ raw }) => options.readGatewayEvent(JSON.parse(raw.toString('utf8'))))
        for (const report of reports)
          if (report.kind === 'unrecognized') options.onUnrecognized(workspace.id, report.event)
        await applyGatewayReports(
          unit,
          reports.map((report) => ({ ctx, report })),
        )
        await markApplied(unit.tx, posts)
      })
      return { count: posts.length, failure: undefined }
    } catch (error) {
      return { count: posts.length, failure: { posts, error } }
    }
  }

  const setBack = async (workspace: Workspace, post: DuePost, error: unknown): Promise<void> => {
    options.onError(error)
    const now = clock.now()
    // A body that is not JSON will never parse, so it is not retried.
    const seconds = error instanceof SyntaxError ? undefined : RETRY_SECONDS[post.attempts]
    await setBackPost(database.query, post, {
      error: error instanceof SyntaxError ? "The body isn't valid JSON." : String(error),
      runAt: later(now, (seconds ?? 0) * SECOND_MS),
      runOffsetMs: runOffsetOf(workspace),
      failedAt: seconds === undefined ? now : null,
    })
  }

  /** Applies all due reports together; after a failure, each alone. */
  const applyAll = async (workspace: Workspace, movingClock: MovingClock | undefined): Promise<number> => {
    const { count, failure } = await apply(workspace, dueAt(clock.now(), movingClock), MAX_AT_ONCE)
    if (!failure) return count
    for (let left = Math.max(1, count); left > 0; left--) {
      const result = await apply(workspace, dueAt(clock.now(), movingClock), 1)
      const [post] = result.failure?.posts ?? []
      if (post) await setBack(workspace, post, result.failure!.error)
      else if (result.failure) throw result.failure.error
    }
    return count
  }

  return {
    name: GATEWAY_POSTS,
    pollMs: 500,
    async runDue({ workspaceId, moving }) {
      const due = { due: dueAt(clock.now(), moving), workspaceId, limit: MAX_WORKSPACES }
      const ids = await listWorkspacesWithPosts(database.query, due)
      const workspaces = await options.workspaces(ids)
      const counts = await Promise.all(
        [...workspaces.values()].map((workspace) => applyAll(workspace, moving)),
      )
      return counts.reduce((sum, count) => sum + count, 0)
    },
    nextDue: findNextPostDue,
    align: alignPosts,
  }
}
