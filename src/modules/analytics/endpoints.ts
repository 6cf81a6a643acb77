import { endpoint, reply } from '../../core/endpoint.ts'
import { readAnswerTimes, readFailureCauses } from './answering.ts'
import { AnswerTimes, FailureCauses, PeriodQuery } from './answering-schema.ts'
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

const FACE = { auth: 'session', tag: 'Dashboard', section: '1', scope: null, role: 'viewer' } as const

export const getFailureCauses = endpoint({
  ...FACE,
  name: 'getFailureCauses',
  method: 'GET',
  path: '/analytics/failures',
  summary: 'Messages of the last days that failed, by cause.',
  bucket: 'reads',
  query: PeriodQuery,
  replies: { 200: FailureCauses },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await readFailureCauses(ctx, query.days)),
})

export const getAnswerTimes = endpoint({
  ...FACE,
  name: 'getAnswerTimes',
  method: 'GET',
  path: '/analytics/answers',
  summary: 'How soon customers were answered in the chats that were active last, and by whom.',
  bucket: 'reads',
  query: PeriodQuery,
  replies: { 200: AnswerTimes },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await readAnswerTimes(ctx, query.days)),
})
