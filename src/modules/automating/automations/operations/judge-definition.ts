/**
 * Checks the names in an automation that are known without a look-up: stages, lost reasons, members, fields,
 * and placeholders. Replaces names with ids.
 */
import type { z } from 'zod'
import { type Issue, Refusal } from '../../../../core/errors.ts'
import type { EventKind } from '../../../../core/event.ts'
import { AttributeName } from '../../../messaging/contacts/schema.ts'
import type { FilterCondition } from '../../../selling/crm/filter-schema.ts'
import type { LeadWords } from '../../../selling/crm/operations/present-lead.ts'
import { resolveLostReason, resolveMember, resolveStage } from '../../../selling/crm/operations/references.ts'
import {
  type FilterContext,
  namesAsIds,
  understandFilter,
} from '../../../selling/crm/operations/understand-filter.ts'
import type { Action, Conditions } from '../action-schema.ts'
import { CONTACT_FIELDS, CONVERSATION_FIELDS } from '../condition-fields.ts'
import { knowsPath, namesAt } from '../known-paths.ts'
import type { Trigger } from '../schema.ts'
import { ATTRIBUTES, CONTACT_TARGETS, issuesOfValue, LEAD_TARGETS } from './act-on-values.ts'
import {
  asLeadCondition,
  EVENT_PREFIX,
  findLeadField,
  LEAD_PREFIX,
  OPEN_FIELD,
} from './evaluate-conditions.ts'
import { hasPlaceholders, textsOf, unknownPlaceholders } from './placeholders.ts'

export type Definition = { trigger: Trigger; conditions: Conditions; actions: Action[] }
/** The definition with ids instead of names, and the names of these ids. */
export type Checked = Definition & { names: Record<string, string> }

type Check = {
  ctx: FilterContext
  words: LeadWords
  event: EventKind | undefined
  issues: Issue[]
  names: Record<string, string>
}

/** Returns the definition with ids instead of names, and its issues. `kinds`: the events that exist. */
export function judgeDefinition(
  ctx: FilterContext,
  words: LeadWords,
  kinds: readonly EventKind[],
  { trigger, conditions, actions }: Definition,
): Checked & { issues: Issue[] } {
  const event = 'event' in trigger ? kinds.find((kind) => kind.name === trigger.event) : undefined
  const check: Check = { ctx, words, event, issues: [], names: {} }
  if ('event' in trigger && !event)
    check.issues.push({
      path: 'trigger.event',
      message: `Must be an event of GET /webhooks/events: ${kinds.map((kind) => kind.name).join(', ')}.`,
    })
  const checkedConditions = checkConditions(check, conditions, 'conditions')
  const checkedActions = actions.map((action, i) => checkAction(check, action, `actions[${i}]`))
  const { issues, names } = check
  return { trigger, conditions: checkedConditions, actions: checkedActions, names, issues }
}

/** Returns the conditions with ids of stages, lost reasons and members. */
function checkConditions(check: Check, { match, conditions }: Conditions, path: string): Conditions {
  return {
    match,
    conditions: conditions.map((condition, i) => {
      const conditionPath = `${path}.conditions[${i}]`
      const { field } = condition
      const isOfLead = field.startsWith(LEAD_PREFIX)
      const leadField = isOfLead
        ? undefined
        : findLeadField(field, { event: check.event?.example, isOpen: true })
      const unknown = isOfLead ? undefined : fieldIssue(check, field, leadField !== undefined)
      if (unknown !== undefined) {
        check.issues.push({ path: `${conditionPath}.field`, message: unknown })
        return condition
      }
      const leadCondition = asLeadCondition(condition, leadField)
      const problems = issuesOfCondition(check, leadCondition)
      if (problems.length > 0) {
        check.issues.push(
          ...problems.map((issue) => ({
            path: `${conditionPath}.${issue.path.split('.').at(-1)}`,
            message: issue.message.replace(` for ${leadCondition.field}.`, ` for ${field}.`),
          })),
        )
        return condition
      }
      return { ...namesAsIds(check.words, leadCondition), field }
    }),
  }
}

function fieldIssue({ event }: Check, field: string, isKnown: boolean): string | undefined {
  if (field.startsWith(EVENT_PREFIX)) {
    const path = field.slice(EVENT_PREFIX.length).split('.')
    if (!event) return 'Must be left out unless the trigger is an event.'
    if (knowsPath(event.data, path)) return undefined
    return `Must be a field of ${event.name}: ${namesAt(event.data, path)
      .slice(0, 30)
      .map((name) => EVENT_PREFIX + name)
      .join(', ')}.`
  }
  if (isKnown) return undefined
  const fields = [...Object.keys(CONTACT_FIELDS), ...Object.keys(CONVERSATION_FIELDS), OPEN_FIELD]
  return `Must be lead.FIELD (as in lead filters), event.PATH, contact.attributes.KEY, or one of ${fields.join(', ')}.`
}

/** Returns the id of a found record and stores its name. Adds an issue if the record is unknown. */
function registerRecord<Found extends { id: string }>(
  check: Check,
  record: Found | Refusal,
  nameOf: (record: Found) => string,
  path: string,
): string {
  if (record instanceof Refusal) {
    check.issues.push({ path, message: record.details.issues?.[0]?.message ?? record.message })
    return ''
  }
  check.names[record.id] = nameOf(record)
  return record.id
}

const memberId = (check: Check, ref: string | null, path: string): string | null =>
  ref === null
    ? null
    : registerRecord(check, resolveMember(ref, check.words.team, 'member'), (member) => member.name, path)
const stageId = (check: Check, ref: string, path: string): string =>
  registerRecord(check, resolveStage(ref, check.words.pipeline), (stage) => stage.name, path)

function checkAction(check: Check, action: Action, path: string): Action {
  for (const [textPath, text] of textsOf(action))
    check.issues.push(
      ...unknownPlaceholders(text, `${path}.${textPath}`, check.event?.data as z.ZodType | undefined),
    )
  const { type } = action
  if (type === 'assign_conversation' || type === 'assign_lead')
    return { ...action, member: memberId(check, action.member, `${path}.member`) }
  if (type === 'create_task' && action.assignee !== undefined)
    return { ...action, assignee: memberId(check, action.assignee, `${path}.assignee`) }
  if (type === 'set_stage')
    return {
      ...action,
      stage: stageId(check, action.stage, `${path}.stage`),
      ...lostReasonOf(check, action, path),
    }
  if (type === 'create_lead')
    return {
      ...action,
      ...(action.stage === undefined ? {} : { stage: stageId(check, action.stage, `${path}.stage`) }),
      ...(action.owner === undefined ? {} : { owner: memberId(check, action.owner, `${path}.owner`) }),
    }
  if (type === 'stop_if')
    return { ...action, conditions: checkConditions(check, action.conditions, `${path}.conditions`) }
  if (type === 'set_field') checkTarget(check, action, path)
  return action
}

/** Returns the lost reason, which is required for a stage of kind lost if the workspace has lost reasons. */
function lostReasonOf(
  check: Check,
  { stage, lostReason }: Extract<Action, { type: 'set_stage' }>,
  path: string,
): { lostReason?: string } {
  const { pipeline } = check.words
  const to = resolveStage(stage, pipeline)
  if (to instanceof Refusal) return {}
  if (lostReason === undefined) {
    if (to.kind === 'lost' && pipeline.lostReasons.length > 0)
      check.issues.push({
        path: `${path}.lostReason`,
        message: 'Required to move to a lost stage. See GET /pipeline.',
      })
    return {}
  }
  if (to.kind !== 'lost')
    check.issues.push({
      path: `${path}.lostReason`,
      message: 'Must be left out unless the stage is of kind lost.',
    })
  return {
    lostReason: registerRecord(
      check,
      resolveLostReason(lostReason, pipeline),
      (reason) => reason.label,
      `${path}.lostReason`,
    ),
  }
}

const TARGETS = new Map([
  ['contact', CONTACT_TARGETS],
  ['lead', LEAD_TARGETS],
])

/**
 * Checks that the field can be set, and that the field accepts the value. Values with placeholders differ by
 * customer and are not checked.
 */
function checkTarget(
  { issues }: Check,
  { field, value }: Extract<Action, { type: 'set_field' }>,
  path: string,
): void {
  const [subject = '', ...rest] = field.split('.')
  const name = rest.join('.')
  const targets = TARGETS.get(subject)
  const isAttribute =
    name.startsWith(ATTRIBUTES) && AttributeName.safeParse(name.slice(ATTRIBUTES.length)).success
  if (targets && (isAttribute || targets.includes(name))) {
    const problems = hasPlaceholders(value) ? [] : issuesOfValue(subject, name, value)
    issues.push(...problems.map((message) => ({ path: `${path}.value`, message })))
    return
  }
  const allowedFields = [
    ...CONTACT_TARGETS.map((target) => `contact.${target}`),
    ...LEAD_TARGETS.map((target) => `lead.${target}`),
  ]
  issues.push({
    path: `${path}.field`,
    message: `Must be one of ${allowedFields.join(', ')}, contact.attributes.KEY, lead.attributes.KEY.`,
  })
}

const issuesOfCondition = ({ ctx, words }: Check, condition: FilterCondition): Issue[] =>
  understandFilter(ctx, words, { match: 'all', conditions: [condition] }, '').issues
