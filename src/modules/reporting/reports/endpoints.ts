import { z } from 'zod'
import { endpoint, reply } from '../../../core/endpoint.ts'
import { readOwnChoice, setOwnChoice } from './mail/choose-weekly.ts'
import { readCampaigns } from './operations/campaigns.ts'
import { readResolutionTimes } from './operations/resolution-times.ts'
import { readResponseTimes } from './operations/response-times.ts'
import { readSales } from './operations/sales.ts'
import { readSatisfaction } from './operations/satisfaction.ts'
import { readVolume } from './operations/volume.ts'
import { CampaignReportQuery, periodOf, ReportQuery } from './period.ts'
import {
  ANSWER_DAYS,
  CASE_DAYS,
  CampaignReport,
  RETURN_DAYS,
  ResolutionReport,
  ResponseTimeReport,
  SalesReport,
  SatisfactionReport,
  VolumeReport,
} from './schema.ts'

const shared = {
  tag: 'Analytics',
  section: '4.10',
  role: 'viewer',
  bucket: 'reads',
  query: ReportQuery,
} as const
const LIMIT = 'A workspace runs at most three reports at the same time; others return `rate_limited`.'

export const getVolumeReport = endpoint({
  ...shared,
  name: 'getVolumeReport',
  method: 'GET',
  path: '/reports/volume',
  summary: 'Get the messages of a period, by day and by hour of the week.',
  description: `Messages of campaigns, reactions, and failed messages are not counted. ${LIMIT}`,
  scope: 'analytics:read',
  tool: { title: 'Report: messages', when: 'Use it for questions about the number of messages in a period.' },
  replies: { 200: VolumeReport },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await readVolume(ctx, periodOf(ctx, query))),
})

export const getResponseTimeReport = endpoint({
  ...shared,
  name: 'getResponseTimeReport',
  method: 'GET',
  path: '/reports/response-times',
  summary: 'Get the times until customers were answered, by day and by member.',
  description: `A wait runs from a customer's first unanswered message to the next message of a person: a member, an API key, or the phone app. Automatic messages and campaigns are no answers. Answers after more than ${ANSWER_DAYS} days do not count. ${LIMIT}`,
  scope: 'analytics:read',
  tool: {
    title: 'Report: response times',
    when: 'Use it for questions about how fast customers get an answer.',
  },
  replies: { 200: ResponseTimeReport },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await readResponseTimes(ctx, periodOf(ctx, query))),
})

export const getResolutionReport = endpoint({
  ...shared,
  name: 'getResolutionReport',
  method: 'GET',
  path: '/reports/resolution-times',
  summary: 'Get the times until chats were assigned and resolved, by day and by member.',
  description: `A case begins with the customer's first message after the chat was last resolved, at most ${CASE_DAYS} days back. ${LIMIT}`,
  scope: 'analytics:read',
  replies: { 200: ResolutionReport },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await readResolutionTimes(ctx, periodOf(ctx, query))),
})

export const getSatisfactionReport = endpoint({
  ...shared,
  name: 'getSatisfactionReport',
  method: 'GET',
  path: '/reports/satisfaction',
  summary: 'Get the ratings of chats in a period, by day and by member.',
  description: `A rating belongs to the member who had resolved the chat. ${LIMIT}`,
  scope: 'conversations:read',
  tool: { title: 'Report: satisfaction', when: 'Use it for questions about ratings of chats in a period.' },
  replies: { 200: SatisfactionReport },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await readSatisfaction(ctx, periodOf(ctx, query))),
})

export const getSalesReport = endpoint({
  ...shared,
  name: 'getSalesReport',
  method: 'GET',
  path: '/reports/sales',
  summary: 'Get the leads that were created in a period, by stage and by source.',
  description: `Leads count in their current stage. ${LIMIT}`,
  scope: 'crm:read',
  tool: {
    title: 'Report: sales',
    when: 'Use it for questions about new leads in a period, by stage and source.',
  },
  replies: { 200: SalesReport },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await readSales(ctx, periodOf(ctx, query))),
})

export const getCampaignReport = endpoint({
  ...shared,
  name: 'getCampaignReport',
  method: 'GET',
  path: '/reports/campaigns',
  summary: 'Get the results of the campaigns of a period, with cost, payments, and orders.',
  description: `Payments and orders of recipients count within ${RETURN_DAYS} days after their message. A customer who received two campaigns counts for both. ${LIMIT}`,
  scope: 'broadcasts:read',
  query: CampaignReportQuery,
  replies: { 200: CampaignReport },
  refuses: [],
  handle: async (ctx, { query }) =>
    reply(200, await readCampaigns(ctx, periodOf(ctx, query), query.templateId)),
})

const WeeklyMailChoice = z.object({
  enabled: z.boolean().meta({ description: 'Whether the caller gets the weekly email.' }),
  isAvailable: z.boolean().meta({
    description: 'Whether the workspace gets weekly emails: it is no sandbox, and Parley sends email.',
  }),
})
const own = { auth: 'session', tag: 'Dashboard', section: '1', scope: null, role: 'viewer' } as const

export const getWeeklyMail = endpoint({
  ...own,
  name: 'getWeeklyMail',
  method: 'GET',
  path: '/weekly-mail',
  summary: 'Get whether the caller gets the weekly email.',
  bucket: 'reads',
  replies: { 200: WeeklyMailChoice },
  refuses: [],
  handle: async (ctx) => reply(200, await readOwnChoice(ctx)),
})

export const putWeeklyMail = endpoint({
  ...own,
  name: 'setWeeklyMail',
  method: 'PUT',
  path: '/weekly-mail',
  summary: 'Turn the weekly email of the caller on or off.',
  bucket: 'settings-writes',
  body: z.strictObject({ enabled: z.boolean().meta({ description: 'Whether to send the email.' }) }),
  example: { enabled: true },
  replies: { 200: WeeklyMailChoice },
  refuses: ['conflict'],
  handle: async (ctx, { body }) => reply(200, await setOwnChoice(ctx, body.enabled)),
})
