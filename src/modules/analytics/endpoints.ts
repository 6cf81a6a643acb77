import { endpoint, reply } from '../../core/endpoint.ts'
import { readAnalytics } from './operations.ts'
import { Analytics, AnalyticsQuery } from './schema.ts'

export const getAnalytics = endpoint({
  name: 'getAnalytics',
  method: 'GET',
  path: '/analytics',
  summary: 'Message and conversation counts of the last days, by day and in total.',
  description:
    "Days are those of the workspace's time zone. Each thing counts on the day on which it happened, so a message sent " +
    'before midnight and read after it counts on two days. Skipped messages are counted apart from failed ones.',
  tag: 'Analytics',
  section: '4.3',
  scope: 'analytics:read',
  role: 'viewer',
  bucket: 'reads',
  query: AnalyticsQuery,
  replies: { 200: Analytics },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await readAnalytics(ctx, query)),
})
