/**
 * Checks that the names in an automation exist when it is saved, and replaces them with ids, so that renaming
 * doesn't break it.
 */
import type { Context } from '../../../../core/context.ts'
import { type Issue, invalid } from '../../../../core/errors.ts'
import type { EventKind } from '../../../../core/event.ts'
import { undeclaredFields, unknownTags } from '../../../messaging/contacts/operations/known-names.ts'
import { findTeamNames } from '../../../messaging/conversations/operations/find-teams.ts'
import { findTemplate } from '../../../messaging/messages/sending/operations/ask-customer.ts'
import { listNumbers } from '../../../platform/workspaces/operations/phone-numbers.ts'
import { readLeadWords } from '../../../selling/crm/operations/find-lead.ts'
import { readBotNames } from '../../bots/operations/bots.ts'
import type { Action } from '../action-schema.ts'
import { type Checked, type Definition, judgeDefinition } from './judge-definition.ts'
import { contactFieldOf, findMissing, tagsOf, teamOf, templateOf } from './missing-records.ts'

/** Throws `invalid` with every unknown name. `basePath` is the path of the definition in the request. */
export async function checkDefinition(
  ctx: Context,
  kinds: readonly EventKind[],
  definition: Definition,
  basePath = '',
): Promise<Checked> {
  const { issues, ...checked } = judgeDefinition(ctx, await readLeadWords(ctx), kinds, definition)
  await checkStored(ctx, checked, issues)
  if (issues.length > 0) throw invalid(issues.map((issue) => ({ ...issue, path: basePath + issue.path })))
  return checked
}

/** Checks the names that need the database: templates, tags, declared fields, numbers, bots, teams. */
async function checkStored(ctx: Context, { actions, names }: Checked, issues: Issue[]): Promise<void> {
  const records = await findRecords(ctx, actions)
  for (const template of records.templates.values()) names[template.id] = template.name
  for (const [id, name] of [...records.bots, ...records.teams]) names[id] = name
  for (const [i, action] of actions.entries())
    for (const { path, message } of findMissing(action, records))
      issues.push({ path: `actions[${i}].${path}`, message })
}

/**
 * Reads the records that the actions name: templates by id, bots and teams with their names, numbers, and the missing
 * tags and fields.
 */
async function findRecords(ctx: Context, actions: Action[]) {
  const templateIds = [...new Set(actions.flatMap((action) => templateOf(action)?.id ?? []))]
  const [missingTags, missingFields, numbers, bots, teams, ...templates] = await Promise.all([
    unknownTags(ctx, actions.flatMap(tagsOf)),
    undeclaredFields(
      ctx,
      actions.flatMap((action) => contactFieldOf(action) ?? []),
    ),
    listNumbers(ctx, [ctx.workspace.id]),
    readBotNames(
      ctx,
      actions.flatMap((action) => (action.type === 'start_bot' ? [action.botId] : [])),
    ),
    findTeamNames(
      ctx,
      actions.flatMap((action) => teamOf(action) ?? []),
    ),
    ...templateIds.map((id) => findTemplate(ctx, id)),
  ])
  return {
    missingTags,
    missingFields,
    numberIds: new Set(numbers.map(({ id }) => id)),
    bots,
    teams,
    templates: new Map(templates.flatMap((template, i) => (template ? [[templateIds[i]!, template]] : []))),
  }
}
