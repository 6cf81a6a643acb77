import { endpoint, reply } from '../../../core/endpoint.ts'
import { readAnswerTimes, readFailureCauses } from './answering.ts'
import { AnswerTimes, FailureCauses, PeriodQuery } from './answering-schema.ts'
import { readAnalytics } from './operations.ts'
import { Analytics, AnalyticsQuery } from './schema.ts'

export const getAnalytics = endpoint({
  name: 'getAnalytics',
  method: 'GET',
  path: '/analytics',
  summary: 'Get message and conversation counts of the last days, by day and in total.',
  description:
    "Days follow the workspace's time zone. Each event counts on the day it happened: a message sent before midnight and read after midnight counts on two days. Skipped messages are not counted as failed.",
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

const shared = { auth: 'session', tag: 'Dashboard', section: '1', scope: null, role: 'viewer' } as const

export const getFailureCauses = endpoint({
  ...shared,
  name: 'getFailureCauses',
  method: 'GET',
  path: '/analytics/failures',
  summary: 'List the failed messages of the last days, by cause.',
  bucket: 'reads',
  query: PeriodQuery,
  replies: { 200: FailureCauses },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await readFailureCauses(ctx, query.days)),
})

export const getAnswerTimes = endpoint({
  ...shared,
  name: 'getAnswerTimes',
  method: 'GET',
  path: '/analytics/answers',
  summary: 'Get the answer times in the most recently active chats, by member.',
  bucket: 'reads',
  query: PeriodQuery,
  replies: { 200: AnswerTimes },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await readAnswerTimes(ctx, query.days)),
})
