/** Actions on the lead of a run. */
import { later, MINUTE_MS } from '../../../core/clock.ts'
import { Refusal } from '../../../core/errors.ts'
import { captureLeads } from '../../crm/operations/capture-leads.ts'
import { updateLead } from '../../crm/operations/change-lead.ts'
import { addLeadNote } from '../../crm/operations/lead-notes.ts'
import { createTask } from '../../crm/operations/tasks.ts'
import { NewLead, NOTE_MAX } from '../../crm/schema.ts'
import { type ActionOf, NAME_MAX, SOURCE_MAX, TITLE_MAX } from '../schema.ts'
import { requireTags } from './act-on-values.ts'
import {
  type Acting,
  contactOf,
  gone,
  leadOf,
  type Result,
  SkippedStep,
  wordsIfAny,
  wordsOf,
} from './acting.ts'

const isStageThere = ({ scene }: Acting, id: string): boolean =>
  scene.words.pipeline.stages.some((stage) => stage.id === id)
const isReasonThere = ({ scene }: Acting, id: string): boolean =>
  scene.words.pipeline.lostReasons.some((reason) => reason.id === id)

/** Refuses a member who has left. */
export function requireMember(acting: Acting, id: string | null | undefined): void {
  if (id && !acting.scene.words.team.some((member) => member.id === id)) gone(acting, 'teammate', id)
}
function requireStage(acting: Acting, id: string | undefined): void {
  if (id !== undefined && !isStageThere(acting, id)) gone(acting, 'stage', id)
}

export async function assignLead(acting: Acting, { member }: ActionOf<'assign_lead'>): Promise<Result> {
  requireMember(acting, member)
  const { lead, changed } = await updateLead(acting.ctx, leadOf(acting).id, { owner: member })
  return { leadId: lead.id, changed }
}

export async function setStage(
  acting: Acting,
  { stage, lostReason }: ActionOf<'set_stage'>,
): Promise<Result> {
  requireStage(acting, stage)
  if (lostReason !== undefined && !isReasonThere(acting, lostReason)) gone(acting, 'lost reason', lostReason)
  const { lead, changed } = await updateLead(acting.ctx, leadOf(acting).id, {
    stage,
    ...(lostReason === undefined ? {} : { lostReason }),
  })
  return { leadId: lead.id, changed }
}

/** Creates a lead. An existing lead stays unchanged, because the contact did not come in again. */
export async function createLead(acting: Acting, action: ActionOf<'create_lead'>): Promise<Result> {
  const contact = contactOf(acting)
  if (acting.scene.lead) return { leadId: acting.scene.lead.id, created: false }
  if (!contact.phone.startsWith('+'))
    throw new SkippedStep("The contact has no number, so it can't be a lead.")
  requireStage(acting, action.stage)
  requireMember(acting, action.owner)
  if (action.tags) await requireTags(acting, action.tags)
  const text = (value: string | undefined, max: number) =>
    value === undefined ? undefined : wordsIfAny(acting, value, max)
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
  const [made] = await captureLeads([{ ctx: acting.ctx, body, via: 'whatsapp', form: null }])
  if (made instanceof Refusal) throw made
  return { leadId: made!.lead.id, created: made!.created }
}

export async function createTaskOfLead(acting: Acting, action: ActionOf<'create_task'>): Promise<Result> {
  requireMember(acting, action.assignee)
  const { task } = await createTask(acting.ctx, {
    leadId: leadOf(acting).id,
    type: action.taskType,
    title: wordsIfAny(acting, action.title ?? '', TITLE_MAX) ?? acting.ctx.cause!.name,
    dueAt: later(acting.ctx.now, action.dueInMinutes * MINUTE_MS),
    priority: action.priority,
    ...(action.assignee === undefined ? {} : { assignee: action.assignee }),
  })
  return { taskId: task.id }
}

export async function noteOnLead(acting: Acting, { text }: ActionOf<'add_note'>): Promise<Result> {
  const note = await addLeadNote(acting.ctx, leadOf(acting).id, wordsOf(acting, text, NOTE_MAX))
  return { noteId: note.id }
}
