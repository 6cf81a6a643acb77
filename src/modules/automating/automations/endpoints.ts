import { z } from 'zod'
import type { PrepareContext } from '../../../core/context.ts'
import { endpoint, outsideEndpoint, reply } from '../../../core/endpoint.ts'
import { invalid, Refusal } from '../../../core/errors.ts'
import { cursorPage, cursorQuery } from '../../../core/paging.ts'
import type { Action } from './action-schema.ts'
import {
  addressesOf,
  changeAutomation,
  createAutomation,
  deleteAutomation,
  getAutomation,
  listAutomations,
  listRuns,
  presentAutomation,
} from './operations/automations.ts'
import { readResults } from './operations/count-results.ts'
import { DEFINITION, runTrial, Undone } from './operations/run-trial.ts'
import { AutomationResults, MAX_RESULT_RUNS } from './result-schema.ts'
import { Run, RunFilter } from './run-schema.ts'
import {
  Automation,
  AutomationPatch,
  AutomationTest,
  AutomationTestResult,
  NewAutomation,
  SavedAutomation,
} from './schema.ts'

const shared = { tag: 'Automations', section: '4.10' } as const
const read = { ...shared, scope: 'automations:read', role: 'viewer', bucket: 'reads' } as const
const write = { ...shared, scope: 'automations:write', role: 'admin', bucket: 'settings-writes' } as const

/** Refuses webhook addresses that Parley may not call. Checks them one after another. */
async function checkAddresses(
  { workspace, outside }: Pick<PrepareContext, 'workspace' | 'outside'>,
  actions: readonly Action[],
  basePath?: string,
): Promise<void> {
  const issues = []
  for (const { path, url } of addressesOf(actions, basePath)) {
    try {
      await outside.checkWebhookAddress(workspace, url, path)
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'invalid') throw error
      issues.push(...(error.details.issues ?? []))
    }
  }
  if (issues.length > 0) throw invalid(issues)
}

const EXAMPLE = {
  name: 'Missed call',
  trigger: { event: 'call.missed' },
  actions: [
    { type: 'send_text', text: 'Sorry we missed you, {{contact.displayName}}.' },
    { type: 'create_task', taskType: 'call', dueInMinutes: 60 },
  ],
}

export const getAutomations = endpoint({
  ...read,
  name: 'listAutomations',
  method: 'GET',
  path: '/automations',
  summary: 'List the automations of the workspace, newest first.',
  replies: { 200: z.object({ automations: z.array(Automation) }) },
  refuses: [],
  handle: async (ctx) =>
    reply(200, { automations: (await listAutomations(ctx)).map((row) => presentAutomation(ctx, row)) }),
})

export const postAutomation = endpoint({
  ...write,
  name: 'createAutomation',
  method: 'POST',
  path: '/automations',
  summary: 'Create an automation: a trigger, conditions, and actions.',
  description:
    'Everything that the automation refers to must exist: stages, tags, fields, templates, and members. A workspace can have 100 automations. Actions have the same effects as those of a teammate, except that they do not send `contact.updated`.',
  body: NewAutomation,
  example: EXAMPLE,
  replies: { 201: SavedAutomation },
  refuses: ['conflict', 'insufficient_scope'],
  prepare: (ctx, { body }) => checkAddresses(ctx, body.actions),
  handle: async (ctx, { body }) => {
    const { row, secret } = await createAutomation(ctx, body)
    return reply(201, { automation: presentAutomation(ctx, row), secret })
  },
})

export const getOneAutomation = endpoint({
  ...read,
  name: 'getAutomation',
  method: 'GET',
  path: '/automations/:id',
  summary: 'Get one automation.',
  subject: 'automation',
  replies: { 200: z.object({ automation: Automation }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) =>
    reply(200, { automation: presentAutomation(ctx, await getAutomation(ctx, params.id)) }),
})

export const patchAutomation = endpoint({
  ...write,
  name: 'updateAutomation',
  method: 'PATCH',
  path: '/automations/:id',
  summary: 'Change an automation, or turn it on or off.',
  description:
    'Runs that already started continue with the actions that they started with. If you turn the automation off, they stop.',
  subject: 'automation',
  body: AutomationPatch,
  example: { enabled: false },
  replies: { 200: SavedAutomation },
  refuses: ['not_found', 'insufficient_scope'],
  prepare: async (ctx, { params, body }) => {
    await ctx.transaction((txCtx) => getAutomation(txCtx, params.id))
    await checkAddresses(ctx, body.actions ?? [])
  },
  handle: async (ctx, { params, body }) => {
    const { row, secret } = await changeAutomation(ctx, params.id, body)
    return reply(200, { automation: presentAutomation(ctx, row), secret })
  },
})

export const deleteOneAutomation = endpoint({
  ...write,
  name: 'deleteAutomation',
  method: 'DELETE',
  path: '/automations/:id',
  summary: 'Delete an automation. Its waiting runs stop.',
  subject: 'automation',
  replies: { 200: z.object({ ok: z.literal(true), deleted: z.literal(true) }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => {
    await deleteAutomation(ctx, params.id)
    return reply(200, { ok: true, deleted: true })
  },
})

export const getAutomationRuns = endpoint({
  ...read,
  name: 'listAutomationRuns',
  method: 'GET',
  path: '/automations/:id/runs',
  summary: 'List the runs of an automation, newest first. Parley keeps them for 30 days.',
  description:
    'Runs of a deleted automation are kept for the same time, so that a message still leads to its run.',
  subject: 'automation',
  query: RunFilter.extend(cursorQuery),
  replies: { 200: cursorPage('runs', Run) },
  refuses: ['not_found'],
  handle: async (ctx, { params, query }) => reply(200, await listRuns(ctx, params.id, query)),
})

export const getAutomationResults = endpoint({
  ...read,
  name: 'getAutomationResults',
  method: 'GET',
  path: '/automations/:id/results',
  summary: 'Count the results of an automation in the last 30 days, by step.',
  description: `Reads the newest ${MAX_RESULT_RUNS.toLocaleString('en')} runs. Over 5,000 runs, a workspace counts at most three automations at the same time; others return \`rate_limited\`.`,
  subject: 'automation',
  replies: { 200: z.object({ results: AutomationResults }) },
  refuses: ['not_found'],
  handle: async (ctx, { params }) => reply(200, { results: await readResults(ctx, params.id) }),
})

export const postAutomationTest = outsideEndpoint({
  ...write,
  name: 'testAutomation',
  method: 'POST',
  path: '/automations/test',
  summary: 'Test an automation without running it.',
  description:
    "Returns whether each condition matches, and what each action would do or which error it would return, as if the earlier actions had run. Nothing is stored or sent, and no webhook is called. Without an event and without data, the test uses the example of the automation's event.",
  body: AutomationTest,
  example: { automation: EXAMPLE, event: 'call.missed' },
  replies: { 200: AutomationTestResult },
  refuses: ['not_found', 'invalid_reference'],
  handle: (request, { body }) =>
    request.answering(
      (result: z.input<typeof AutomationTestResult>) => reply(200, result),
      async (ctx) => {
        await checkAddresses(ctx, body.automation?.actions ?? [], DEFINITION)
        const result = await ctx
          .transaction(async (txCtx) => {
            throw new Undone(await runTrial(txCtx, body))
          })
          .catch((error: unknown) => {
            if (error instanceof Undone) return error.result
            throw error
          })
        return ctx.lastTransaction(async () => result)
      },
    ),
})
