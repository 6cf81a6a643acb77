import { endpoint, reply } from '../../../core/endpoint.ts'
import { numberedPage } from '../../../core/paging.ts'
import { LeadQuery } from '../lead-list-schema.ts'
import { listLeads } from '../operations/list-leads.ts'
import { findView } from '../operations/saved-views.ts'
import { Lead } from '../schema.ts'

export const getLeads = endpoint({
  name: 'listLeads',
  method: 'GET',
  path: '/leads',
  summary: 'Leads of a view, filtered, searched and sorted, with their exact number.',
  description:
    'View, filter and search all hold together. Without `sort` the newest come first, in sys:followups what is due first.',
  tag: 'Leads',
  section: '4.5',
  scope: 'crm:read',
  role: 'viewer',
  bucket: 'reads',
  query: LeadQuery,
  replies: { 200: numberedPage('leads', Lead, {}) },
  refuses: [],
  handle: async (ctx, { query }) => reply(200, await listLeads(ctx, query, findView)),
})
