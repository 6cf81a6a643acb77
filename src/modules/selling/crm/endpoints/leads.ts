import { z } from 'zod'
import type { Context, Via } from '../../../../core/context.ts'
import { endpoint, type Reply, reply } from '../../../../core/endpoint.ts'
import { Refusal } from '../../../../core/errors.ts'
import { hotEndpoint } from '../../../../core/hot-endpoint.ts'
import { cursorPage, cursorQuery } from '../../../../core/paging.ts'
import type { LeadVia } from '../events.ts'
import {
  beginCaptures,
  type Captured,
  type CaptureItem,
  captureNewLeads,
  numbersWithoutRead,
} from '../operations/capture-leads.ts'
import { updateLead } from '../operations/change-lead.ts'
import { getLead, showLead } from '../operations/find-lead.ts'
import { addLeadNote } from '../operations/lead-notes.ts'
import { readLeadStory } from '../operations/lead-story.ts'
import { presentLead } from '../operations/present-lead.ts'
import { LEAD_CHANGES, Lead, LeadNote, LeadPatch, NewLead, NewLeadNote, TimelineEntry } from '../schema.ts'

const write = {
  tag: 'Leads',
  section: '4.5',
  scope: 'crm:write',
  role: 'agent',
  bucket: 'crm-writes',
} as const

const SavedLead = z.object({ created: z.boolean(), lead: Lead })

/** The lead's `via`, by the request's `via`. */
const LEAD_VIA: Record<Via, LeadVia> = {
  api: 'api',
  sandbox: 'api',
  dashboard: 'manual',
  import: 'import',
  platform: 'integration',
}

const captureItem = ({ ctx, body }: { ctx: Context; body: z.infer<typeof NewLead> }): CaptureItem => ({
  ctx,
  body,
  via: LEAD_VIA[ctx.via],
  form: null,
})

const capturedReply = (captured: Captured | Refusal): Reply | Refusal =>
  captured instanceof Refusal
    ? captured
    : reply(captured.created ? 201 : 200, {
        created: captured.created,
        lead: presentLead(captured.lead, captured.words, captured.conversationId),
      })

export const postLead = hotEndpoint({
  ...write,
  name: 'captureLead',
  method: 'POST',
  path: '/leads',
  summary: 'Create a lead. For a known number, Parley records another capture and creates no second lead.',
  description:
    'Returns 201 for a new number. For a known number it returns 200, increases `captureCount`, and adds an entry to the timeline.',
  body: NewLead,
  example: { phone: '+919812345678', name: 'Asha Rao', source: 'website', note: 'Asked about delivery.' },
  tool: { title: 'Add a lead', when: 'Use it to record that a person wants to buy.' },
  replies: { 201: SavedLead, 200: SavedLead },
  refuses: ['plan_limit_reached'],
  readAhead: async (items) => {
    const capture = await beginCaptures(items.map(captureItem))
    return async (items) => (await capture(items.map(captureItem))).map(capturedReply)
  },
  recall: (items) => {
    const numbers = numbersWithoutRead(items)
    return (
      numbers &&
      (async (fresh) => (await captureNewLeads(fresh.map(captureItem), numbers)).map(capturedReply))
    )
  },
})

export const getOneLead = endpoint({
  name: 'getLead',
  method: 'GET',
  path: '/leads/:id',
  summary: "Get one lead. `id` is Parley's id or the phone number.",
  tag: 'Leads',
  tool: { title: 'Read a lead', when: 'Use it to read one lead by its id or its phone number.' },
  section: '4.5',
  scope: 'crm:read',
  role: 'viewer',
  bucket: 'reads',
  subject: 'lead',
  replies: { 200: z.object({ lead: Lead }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { lead: await showLead(ctx, await getLead(ctx, params.id)) }),
})

export const patchLead = endpoint({
  ...write,
  name: 'updateLead',
  method: 'PATCH',
  path: '/leads/:id',
  summary: 'Move a lead to another stage, assign, rate, tag, or edit it. `changed` lists the changes.',
  subject: 'lead',
  body: LeadPatch,
  example: { stage: 'Contacted', addTags: ['vip'] },
  tool: {
    title: 'Move or edit a lead',
    when: 'Use it to move a lead to another stage, assign it, rate it, or edit it.',
  },
  replies: {
    200: z.object({
      lead: Lead,
      changed: z.array(z.enum(LEAD_CHANGES)).meta({ description: 'Changed fields.' }),
    }),
  },
  refuses: ['not_found'],
  handle: async (ctx, { params, body }) => {
    const { lead, changed, words } = await updateLead(ctx, params.id, body)
    return reply(200, { lead: await showLead(ctx, lead, words), changed })
  },
})

export const postLeadNote = endpoint({
  ...write,
  name: 'addLeadNote',
  method: 'POST',
  path: '/leads/:id/notes',
  summary: "Add a note to a lead's timeline. The customer never sees it.",
  subject: 'lead',
  body: NewLeadNote,
  example: { body: 'Prefers calls after six.' },
  tool: {
    title: 'Add a note to a lead',
    when: "Use it to write down a fact in a lead's timeline. The customer never sees it.",
  },
  replies: { 201: z.object({ note: LeadNote }) },
  refuses: ['not_found'],
  handle: async (ctx, { params, body }) => {
    const note = await addLeadNote(ctx, params.id, body.body)
    return reply(201, {
      note: { id: note.id, leadId: note.leadId, body: body.body, createdAt: note.createdAt.toISOString() },
    })
  },
})

export const getLeadTimeline = endpoint({
  name: 'listLeadTimeline',
  method: 'GET',
  path: '/leads/:id/timeline',
  summary:
    'List the timeline of a lead, newest first: captures, stage changes, owners, notes, tasks, and messages.',
  description: 'A key that may not read messages receives their entries without the content.',
  tag: 'Leads',
  tool: { title: 'Read the timeline of a lead', when: 'Use it to see what happened with a lead, and when.' },
  section: '2.3',
  scope: 'crm:read',
  role: 'viewer',
  bucket: 'reads',
  subject: 'lead',
  query: z.object(cursorQuery),
  replies: { 200: cursorPage('entries', TimelineEntry) },
  refuses: ['not_found'],
  handle: async (ctx, { params, query }) => reply(200, await readLeadStory(ctx, params.id, query)),
})
