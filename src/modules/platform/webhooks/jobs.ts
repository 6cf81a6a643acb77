import { z } from 'zod'
import { job, outsideJob } from '../../../core/job.ts'
import { notifyInDashboard, notifyOfDisabled } from './registration/notify-owners.ts'

/** Sends one member a mail that an endpoint was disabled. The statement that disables it creates this job. */
export const notifyOwner = outsideJob({
  name: 'tellOwner',
  payload: z.object({ webhookId: z.string(), memberId: z.string() }),
  retrySeconds: [10, 60, 300, 1_800, 7_200, 21_600, 43_200, 86_400],
  runOutside: (ctx, payload) => notifyOfDisabled(ctx, payload),
})

/** Notifies owners and admins of the same in the dashboard; created in the same way. */
export const notifyAdmins = job({
  name: 'notifyAdmins',
  payload: z.object({ webhookId: z.string() }),
  retrySeconds: [10, 60, 300],
  run: (ctx, { webhookId }) => notifyInDashboard(ctx, webhookId),
})
