import { z } from 'zod'
import { endpoint, reply } from '../../core/endpoint.ts'
import { Id } from '../../core/ids.ts'
import { cursorPage, cursorQuery, idsQuery } from '../../core/paging.ts'
import { SearchText } from '../contacts/schema.ts'
import { lintDraft, lintTemplate } from './lint-template.ts'
import { deleteTemplate as deleteOneTemplate } from './operations/delete-template.ts'
import { getTemplate, listTemplates } from './operations/read-templates.ts'
import { submitTemplate } from './operations/submit-template.ts'
import { syncTemplates } from './operations/sync-templates.ts'
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
    language: filter('A code such as en_US.'),
    name: filter('One exact name.'),
    search: SearchText.optional().meta({ description: 'Part of a name.' }),
  }),
  replies: { 200: cursorPage('templates', Template) },
  refuses: [],
  handle: async (ctx, { query }) => {
    const { rows, nextCursor } = await listTemplates(ctx, query)
    return reply(200, { templates: rows.map(presentTemplate), nextCursor })
  },
})

export const postTemplate = endpoint({
  name: 'submitTemplate',
  method: 'POST',
  path: '/templates',
  summary: 'Submit a template for approval.',
  description:
    'Answers the stored template, pending until the operator decides. `warnings` name what the operator may reject (a marketing template without opt-out text, capitals, addresses in the body, the language of spam); they do not block. A name has one template in each language: `conflict` names the one that has it.',
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
  handleOutside: (request, { body }) =>
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
  summary: 'What the operator may reject in a template, before it is submitted.',
  description:
    'Takes the body of `POST /templates`, finished or not, and stores nothing. `issues` is what that call would refuse it for; ' +
    'where there are some, the operator has not been thought of yet and `warnings` is empty.',
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

export const postTemplatesSync = endpoint({
  name: 'syncTemplates',
  method: 'POST',
  path: '/templates/sync',
  summary:
    "Fetch the operator's templates: new ones are stored, known ones follow, those that are gone are removed.",
  description: 'All business accounts of the workspace, or the one that `wabaConnectionId` names.',
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
  handleOutside: async (ctx, { body }) =>
    reply(200, { ok: true, ...(await syncTemplates(ctx, body.wabaConnectionId)) }),
})

export const getOneTemplate = endpoint({
  name: 'getTemplate',
  method: 'GET',
  path: '/templates/:id',
  summary: 'One template.',
  description: "The id is ours or the operator's.",
  tag,
  section: '4.10',
  scope: 'templates:read',
  role: 'viewer',
  bucket: 'reads',
  subject: 'template',
  replies: { 200: z.object({ template: Template }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) =>
    reply(200, { template: presentTemplate(await getTemplate(ctx, params.id)) }),
})

export const deleteTemplate = endpoint({
  name: 'deleteTemplate',
  method: 'DELETE',
  path: '/templates/:id',
  summary: 'Delete a template in its language, at the operator too.',
  description: 'The operator may refuse the name of an approved template for 30 days afterwards.',
  tag,
  section: '4.10',
  scope: 'templates:write',
  role: 'agent',
  bucket: 'template-delete',
  critical: true,
  subject: 'template',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.boolean() }) },
  refuses: ['not_found', 'conflict', 'meta_error', 'sending_blocked', 'number_banned'],
  handleOutside: (request, { params }) =>
    request.answering(
      (deleted: boolean) => reply(200, { ok: true, deleted }),
      (ctx) => deleteOneTemplate(ctx, params.id),
    ),
})
