import { z } from 'zod'
import { job, outsideJob } from '../../core/job.ts'
import { notifyInDashboard, notifyOfDisabled } from './registration/notify-owners.ts'

/** Notifies one person by mail that an endpoint was switched off. The statement that switches it off leaves this behind. */
export const notifyOwner = outsideJob({
  name: 'tellOwner',
  payload: z.object({ webhookId: z.string(), memberId: z.string() }),
  retrySeconds: [10, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400],
  runOutside: (ctx, payload) => notifyOfDisabled(ctx, payload),
})

/** Notifies owners and admins of the same in the dashboard; left behind likewise. */
export const notifyAdmins = job({
  name: 'notifyAdmins',
  payload: z.object({ webhookId: z.string() }),
  retrySeconds: [10, 60, 300],
  run: (ctx, { webhookId }) => notifyInDashboard(ctx, webhookId),
})
