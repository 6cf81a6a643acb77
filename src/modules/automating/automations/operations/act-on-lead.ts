/** Actions on the lead of a run. */
import { later, MINUTE_MS } from '../../../../core/clock.ts'
import { Refusal } from '../../../../core/errors.ts'
import { captureLeads } from '../../../selling/crm/operations/capture-leads.ts'
import { updateLead } from '../../../selling/crm/operations/change-lead.ts'
import { addLeadNote } from '../../../selling/crm/operations/lead-notes.ts'
import { createTask } from '../../../selling/crm/operations/tasks.ts'
import { NewLead, NOTE_MAX } from '../../../selling/crm/schema.ts'
import { type ActionOf, NAME_MAX, SOURCE_MAX, TITLE_MAX } from '../action-schema.ts'
import { requireTags } from './act-on-values.ts'
import {
  type ActionContext,
  contactOf,
  fillOptionalText,
  leadOf,
  type Result,
  refuseMissingRecord,
  SkippedStep,
  wordsOf,
} from './action-context.ts'

const isStageThere = ({ scene }: ActionContext, id: string): boolean =>
  scene.words.pipeline.stages.some((stage) => stage.id === id)
const isReasonThere = ({ scene }: ActionContext, id: string): boolean =>
  scene.words.pipeline.lostReasons.some((reason) => reason.id === id)

/** Refuses a member who has left. */
export function requireMember(context: ActionContext, id: string | null | undefined): void {
  if (id && !context.scene.words.team.some((member) => member.id === id))
    refuseMissingRecord(context, 'teammate', id)
}
function requireStage(context: ActionContext, id: string | undefined): void {
  if (id !== undefined && !isStageThere(context, id)) refuseMissingRecord(context, 'stage', id)
}

export async function assignLead(
  context: ActionContext,
  { member }: ActionOf<'assign_lead'>,
): Promise<Result> {
  requireMember(context, member)
  const { lead, changed } = await updateLead(context.ctx, leadOf(context).id, { owner: member })
  return { leadId: lead.id, changed }
}

export async function setStage(
  context: ActionContext,
  { stage, lostReason }: ActionOf<'set_stage'>,
): Promise<Result> {
  requireStage(context, stage)
  if (lostReason !== undefined && !isReasonThere(context, lostReason))
    refuseMissingRecord(context, 'lost reason', lostReason)
  const { lead, changed } = await updateLead(context.ctx, leadOf(context).id, {
    stage,
    ...(lostReason === undefined ? {} : { lostReason }),
  })
  return { leadId: lead.id, changed }
}

/** Creates a lead. An existing lead stays unchanged, because the contact did not come in again. */
export async function createLead(context: ActionContext, action: ActionOf<'create_lead'>): Promise<Result> {
  const contact = contactOf(context)
  if (context.scene.lead) return { leadId: context.scene.lead.id, created: false }
  if (!contact.phone.startsWith('+'))
    throw new SkippedStep("The contact has no number, so it can't be a lead.")
  requireStage(context, action.stage)
  requireMember(context, action.owner)
  if (action.tags) await requireTags(context, action.tags)
  const text = (value: string | undefined, max: number) =>
    value === undefined ? undefined : fillOptionalText(context, value, max)
  const body = NewLead.parse({
    phone: contact.phone,
    ...Object.fromEntries(
      Object.entries({
        stage: action.stage,
        owner: action.owner,
        email: action.email,
        tags: action.tags,
        name: text(action.name, NAME_MAX),
        source: text(action.source, SOURCE_MAX),
        note: text(action.note, NOTE_MAX),
      }).filter(([, value]) => value !== undefined),
    ),
  })
  const [outcome] = await captureLeads([{ ctx: context.ctx, body, via: 'whatsapp', form: null }])
  if (outcome instanceof Refusal) throw outcome
  return { leadId: outcome!.lead.id, created: outcome!.created }
}

export async function createTaskOfLead(
  context: ActionContext,
  action: ActionOf<'create_task'>,
): Promise<Result> {
  requireMember(context, action.assignee)
  const { task } = await createTask(context.ctx, {
    leadId: leadOf(context).id,
    type: action.taskType,
    title: fillOptionalText(context, action.title ?? '', TITLE_MAX) ?? context.ctx.cause!.name,
    dueAt: later(context.ctx.now, action.dueInMinutes * MINUTE_MS),
    priority: action.priority,
    ...(action.assignee === undefined ? {} : { assignee: action.assignee }),
  })
  return { taskId: task.id }
}

export async function noteOnLead(context: ActionContext, { text }: ActionOf<'add_note'>): Promise<Result> {
  const note = await addLeadNote(context.ctx, leadOf(context).id, wordsOf(context, text, NOTE_MAX))
  return { noteId: note.id }
}
