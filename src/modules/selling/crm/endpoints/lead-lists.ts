import { z } from 'zod'
import { endpoint, reply } from '../../../../core/endpoint.ts'
import { numberedPage } from '../../../../core/paging.ts'
import { LeadQuery, LeadSummaryQuery } from '../lead-list-schema.ts'
import { listLeads, summarizeLeads } from '../operations/list-leads.ts'
import { findView } from '../operations/saved-views.ts'
import { Lead } from '../schema.ts'

const read = { tag: 'Leads', section: '4.5', scope: 'crm:read', role: 'viewer', bucket: 'reads' } as const

export const getLeads = endpoint({
  ...read,
  name: 'listLeads',
  method: 'GET',
  path: '/leads',
  summary: 'List the leads of a view, filtered, searched, and sorted, with the exact total.',
  description:
    'A lead must match the view, the filter, and the search. Without `sort`, the newest leads come first; in sys:followups, the leads with the earliest due time.',
  query: LeadQuery,
  tool: { title: 'List leads', when: 'Use it to find leads by stage, owner, or words.' },
  replies: { 200: numberedPage('leads', Lead, {}) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listLeads(ctx, query, findView)),
})

export const getLeadSummary = endpoint({
  ...read,
  name: 'summarizeLeads',
  method: 'GET',
  path: '/leads/summary',
  summary: 'Count the leads in each stage, and total the value of their deals.',
  description:
    'Includes the leads that the same query of `GET /leads` matches. Returns every stage, in the order of the pipeline.',
  query: LeadSummaryQuery,
  replies: {
    200: z.array(
      z.object({ stageId: z.string(), count: z.number().int(), dealValue: z.number() }).meta({
        fields: {
          stageId: 'Id of the stage.',
          count: 'Number of leads in the stage.',
          dealValue: "Sum of their deal values in the workspace's currency.",
        },
      }),
    ),
  },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await summarizeLeads(ctx, query, findView)),
})
