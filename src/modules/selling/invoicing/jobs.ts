/** Background work of sales documents. */
import { job } from '../../../core/job.ts'
import { LinkFollowed } from '../payments/operations/follow-link.ts'
import { applyDocumentLink } from './operations/gateway-payments.ts'

/** Applies a change of the link by which a document is paid. */
export const followDocumentLink = job({
  name: 'followDocumentLink',
  payload: LinkFollowed,
  retrySeconds: [1, 5, 30, 300, 1_800, 7_200],
  run: (ctx, change) => applyDocumentLink(ctx, change),
})
