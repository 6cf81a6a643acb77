import { endpoint, reply } from '../../../../core/endpoint.ts'
import { RESULT_HOURS } from '../../../messaging/broadcasts/operations/response-rule.ts'
import { readBroadcastResults } from '../operations/read-results.ts'
import { BroadcastResults } from '../schema.ts'

export const getBroadcastResults = endpoint({
  name: 'getBroadcastResults',
  method: 'GET',
  path: '/broadcasts/:id/results',
  summary: 'Get the results of a campaign: counts, rates, failures by cause, and cost.',
  description: `Replies, taps, and opt-outs count if they arrive within ${RESULT_HOURS} hours after the campaign's message to that customer. A customer who opts out does not count as a reply. The operator does not report who opened a link.`,
  tag: 'Campaigns',
  tool: {
    title: 'Results of a campaign',
    when: 'Use it to see how many customers a campaign reached, why messages failed, and its cost.',
  },
  section: '4.10',
  scope: 'broadcasts:read',
  role: 'viewer',
  bucket: 'reads',
  subject: 'campaign',
  replies: { 200: BroadcastResults },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, await readBroadcastResults(ctx, params.id)),
})
