import { z } from 'zod'
import { type InsideJob, job } from '../../../core/job.ts'
import { enqueue } from '../../../database/sql/enqueue-jobs.ts'
import { endSnoozeAtItsTime } from './operations/end-snooze.ts'
import { giveWaitingChats } from './operations/share-chats.ts'
import { clearTeamOf } from './queries/team-chats.ts'
import { hasSharingTeam } from './queries/teams.ts'

const payload = z.object({ conversationId: z.string(), until: z.string() })

/** Ends a snooze at its time. `until` names the snooze: a later one of the same chat has its own job. */
export const endSnooze: InsideJob<typeof payload> = job({
  name: 'endSnooze',
  payload,
  retrySeconds: [5, 60, 600, 3_600, 21_600],
  run: async (ctx, { conversationId, until }) => {
    await endSnoozeAtItsTime(ctx, conversationId, new Date(until))
    if (await hasSharingTeam(ctx)) await enqueue(ctx, shareChats, {})
  },
})

const sharePayload = z.object({ reopened: z.array(z.string()).optional() })

/** Gives the waiting chats of teams to their members in turn. `reopened`: chats that customers reopened. */
export const shareChats: InsideJob<typeof sharePayload> = job({
  name: 'shareChats',
  payload: sharePayload,
  retrySeconds: [1, 5, 60, 600, 3_600],
  run: async (ctx, { reopened = [] }) => {
    if (await giveWaitingChats(ctx, reopened)) await enqueue(ctx, shareChats, {})
  },
})

const teamPayload = z.object({ teamId: z.string() })
const CLEARED_CHATS = 1_000

/** Removes a deleted team from its chats, in batches. */
export const clearTeam: InsideJob<typeof teamPayload> = job({
  name: 'clearTeam',
  payload: teamPayload,
  retrySeconds: [5, 60, 600, 3_600, 21_600],
  run: async (ctx, { teamId }) => {
    if ((await clearTeamOf(ctx, teamId, CLEARED_CHATS)) === CLEARED_CHATS)
      await enqueue(ctx, clearTeam, { teamId })
  },
})
