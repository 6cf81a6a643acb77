import { z } from 'zod'
import type { Context } from '../../../core/context.ts'
import { endpoint, outsideEndpoint, reply } from '../../../core/endpoint.ts'
import { Id } from '../../../core/ids.ts'
import { cursorPage, cursorQuery, idsQuery } from '../../../core/paging.ts'
import { SearchText } from '../contacts/schema.ts'
import { lintDraft, lintTemplate } from './lint-template.ts'
import { deleteTemplate as deleteOneTemplate } from './operations/delete-template.ts'
import { readSampleTypes } from './operations/keep-sample.ts'
import { readResults } from './operations/read-results.ts'
import { getTemplate, listTemplates } from './operations/read-templates.ts'
import { submitTemplate } from './operations/submit-template.ts'
import { syncTemplates } from './operations/sync-templates.ts'
import type { TemplateRow } from './queries/templates.ts'
import {
  NewTemplate,
  presentTemplate,
  TEMPLATE_STATUSES,
  Template,
  TemplateCategory,
  TemplateDraft,
  TemplateWarning,
} from './schema.ts'

const tag = 'Templates'
const filter = (description: string) => z.string().min(1).max(512).optional().meta({ description })

/** Presents templates with their results and samples. */
async function presentAll(ctx: Context, rows: TemplateRow[]) {
  const resultsOf = await readResults(ctx, rows)
  const sampleTypeOf = await readSampleTypes(ctx, rows)
  return rows.map((row) => presentTemplate(row, { results: resultsOf(row), sampleType: sampleTypeOf(row) }))
}

export const getTemplates = endpoint({
  name: 'listTemplates',
  method: 'GET',
  path: '/templates',
  summary: 'List templates with their approval status, newest first.',
  tag,
  section: '4.3',
  scope: 'templates:read',
  role: 'viewer',
  bucket: 'reads',
  query: z.object({
    ...cursorQuery,
    ...idsQuery,
    status: z.enum(TEMPLATE_STATUSES).optional().meta({ description: 'Only templates in this state.' }),
    category: TemplateCategory.optional(),
    language: filter('Language code, such as `en_US`.'),
    name: filter('The exact name.'),
    search: SearchText.optional().meta({ description: 'Part of a name.' }),
  }),
  tool: {
    title: 'List templates',
    when: 'Use it to find an approved template, because only templates can be sent when the 24-hour window is closed.',
  },
  replies: { 200: cursorPage('templates', Template) },
  refuses: [],
  handle: async (ctx, { query }) => {
    const { rows, nextCursor } = await listTemplates(ctx, query)
    return reply(200, { templates: await presentAll(ctx, rows), nextCursor })
  },
})

export const postTemplate = outsideEndpoint({
  name: 'submitTemplate',
  method: 'POST',
  path: '/templates',
  summary: 'Submit a template for approval.',
  description:
    'Returns the stored template. It is pending until the operator decides. `warnings` list reasons why the operator may reject it: no opt-out text in a marketing template, capital letters, links in the body, or words typical of spam. Warnings do not block the request. A name can have one template for each language; `conflict` returns the id of the existing template.',
  tag,
  section: '4.4',
  scope: 'templates:write',
  role: 'agent',
  bucket: 'template-create',
  critical: true,
  body: NewTemplate,
  example: {
    name: 'order_ok',
    language: 'en_US',
    category: 'UTILITY',
    components: [
      {
        type: 'BODY',
        text: 'Hi {{1}}, your order {{2}} is on its way.',
        example: { body_text: [['Asha', '1001']] },
      },
    ],
  },
  replies: { 200: z.object({ template: Template, warnings: z.array(TemplateWarning) }) },
  refuses: ['conflict', 'invalid_reference', 'meta_error', 'sending_blocked', 'number_banned'],
  handle: (request, { body }) =>
    request.answering(
      (row: Parameters<typeof presentTemplate>[0]) =>
        reply(200, { template: presentTemplate(row), warnings: lintTemplate(body) }),
      (ctx) => submitTemplate(ctx, body),
    ),
})

export const postTemplatesLint = endpoint({
  name: 'lintTemplate',
  method: 'POST',
  path: '/templates/lint',
  summary: 'Check a template before you submit it: list the reasons why the operator may reject it.',
  description:
    'Takes the body of `POST /templates`, complete or not, and stores nothing. `issues` are the errors that `POST /templates` would return. While there are any, `warnings` is empty.',
  tag,
  section: '4.4',
  scope: 'templates:write',
  role: 'agent',
  bucket: 'reads',
  body: TemplateDraft,
  example: {
    name: 'order_ok',
    language: 'en_US',
    category: 'UTILITY',
    components: [{ type: 'BODY', text: 'Your order is on its way.' }],
  },
  replies: {
    200: z.object({
      issues: z.array(z.object({ path: z.string(), message: z.string() })),
      warnings: z.array(TemplateWarning),
    }),
  },
  refuses: [],
  handle: async (_ctx, { body }) => reply(200, lintDraft(body)),
})

export const postTemplatesSync = outsideEndpoint({
  name: 'syncTemplates',
  method: 'POST',
  path: '/templates/sync',
  summary:
    "Import the operator's templates: add new ones, update known ones, and delete those that no longer exist.",
  description: 'Covers all business accounts of the workspace, or the account in `wabaConnectionId`.',
  tag,
  section: '4.10',
  scope: 'templates:write',
  role: 'agent',
  bucket: 'template-create',
  body: z.strictObject({
    wabaConnectionId: Id.optional().meta({
      description: 'Only this business account; see `GET /phone-numbers`.',
    }),
  }),
  bodyOptional: true,
  example: { wabaConnectionId: '6b1f2f6e-2f0a-8b0c-9a44-3f5f0e6b9a10' },
  replies: {
    200: z.object({
      ok: z.literal(true),
      synced: z.int().meta({ description: 'Templates that the operator has.' }),
      created: z.int().meta({ description: 'Templates that are new.' }),
      updated: z.int().meta({ description: 'Templates that changed.' }),
      removed: z.int().meta({ description: 'Templates that the operator no longer has.' }),
    }),
  },
  refuses: ['invalid_reference', 'meta_error', 'sending_blocked', 'number_banned'],
  handle: async (ctx, { body }) =>
    reply(200, { ok: true, ...(await syncTemplates(ctx, body.wabaConnectionId)) }),
})

export const getOneTemplate = endpoint({
  name: 'getTemplate',
  method: 'GET',
  path: '/templates/:id',
  summary: 'Get one template.',
  description: "`id` is Parley's id or the operator's id.",
  tag,
  section: '4.10',
  scope: 'templates:read',
  role: 'viewer',
  bucket: 'reads',
  subject: 'template',
  tool: {
    title: 'Read a template',
    when: 'Use it to read the text and the variables of a template before you send it.',
  },
  replies: { 200: z.object({ template: Template }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    const [template] = await presentAll(ctx, [await getTemplate(ctx, params.id)])
    return reply(200, { template: template! })
  },
})

export const deleteTemplate = outsideEndpoint({
  name: 'deleteTemplate',
  method: 'DELETE',
  path: '/templates/:id',
  summary: 'Delete a template in one language, in Parley and at the operator.',
  description: 'The operator may reject the name of an approved template for 30 days afterwards.',
  tag,
  section: '4.10',
  scope: 'templates:write',
  role: 'agent',
  bucket: 'template-delete',
  critical: true,
  subject: 'template',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.boolean() }) },
  refuses: ['not_found', 'conflict', 'meta_error', 'sending_blocked', 'number_banned'],
  handle: (request, { params }) =>
    request.answering(
      (deleted: boolean) => reply(200, { ok: true, deleted }),
      (ctx) => deleteOneTemplate(ctx, params.id),
    ),
})
