import { randomInt } from 'node:crypto'
import { DAY_MS, later, SECOND_MS } from '../../core/clock.ts'
import { hasOptOutText } from '../template-components/opt-out-text.ts'
import { sampleTemplate } from './samples.ts'
import type { SimulatedNumber, SimulatedObject, SimulatorStore } from './store.ts'
import { changeReport, decisionReport, editReport } from './template-webhooks.ts'

/** A template as the simulated operator keeps it. */
export type KeptTemplate = {
  name: string
  language: string
  category: string
  parameter_format: string
  components: unknown[]
  /** As it stands once `decidedAt` has come; until then it is PENDING. */
  status: string
  rejected_reason: string
  quality: string
  decidedAt: string
  /** When it was last made, edited or changed by the operator. */
  updatedAt: string
  /** What its category was before the operator changed it, and what the operator thinks that it should be. */
  previous_category?: string
  correct_category?: string
  /** How often it was paused. */
  pauses?: number
  /** What it was made with besides, as a node shows it. */
  settings?: Record<string, unknown>
}

/** What a template is submitted with. */
export type SubmittedTemplate = Pick<
  KeptTemplate,
  'name' | 'language' | 'category' | 'parameter_format' | 'components' | 'settings'
>

/** From submission to decision (spec 4.9: a few seconds). */
const DECISION_MS = 3 * SECOND_MS

// Fifteen digits: webhooks carry it as a number.
const newTemplateId = (): string =>
  `1${String(randomInt(1e7)).padStart(7, '0')}${String(randomInt(1e7)).padStart(7, '0')}`

/**
 * Takes a template and decides about it a few seconds later: marketing without a way to opt out is rejected, all else
 * is approved. Answers its id once the decision is sure to come.
 */
export async function keepTemplate(
  store: SimulatorStore,
  number: SimulatedNumber,
  template: SubmittedTemplate,
): Promise<string> {
  const id = newTemplateId()
  await decide(store, number, id, template)
  return id
}

/** Puts a template before the reviewers, for the first time or after it was changed. */
export async function decide(
  store: SimulatorStore,
  number: SimulatedNumber,
  id: string,
  template: SubmittedTemplate,
): Promise<void> {
  const now = await store.now(number)
  const good = template.category !== 'MARKETING' || hasOptOutText(template.components)
  const kept: KeptTemplate = {
    ...template,
    status: good ? 'APPROVED' : 'REJECTED',
    rejected_reason: good ? 'NONE' : 'INVALID_FORMAT',
    quality: 'UNKNOWN',
    decidedAt: later(now, DECISION_MS).toISOString(),
    updatedAt: now.toISOString(),
  }
  const report = { afterMs: DECISION_MS, ...decisionReport(id, kept) }
  // In this order: a crash between the two leaves a decision about nothing, never a template without one.
  await store.schedule(number, [report], undefined)
  await store.keep(number, { kind: 'template', id, value: kept, bytes: null, expiresAt: null })
}

/** How long nobody can make a template by the name of one that was deleted after its approval. */
const NAME_CLOSED_MS = 30 * DAY_MS
const NEVER_APPROVED = ['PENDING', 'REJECTED']

const closedNameId = ({ accountId }: SimulatedNumber, name: string, language: string): string =>
  `closed:${accountId}:${language}:${name}`

/** Deletes a template, as it stands; the name of one that had been approved stays closed in its language for 30 days. */
export async function deleteTemplate(
  store: SimulatorStore,
  number: SimulatedNumber,
  { id, value }: SimulatedObject,
): Promise<void> {
  const { name, language, status } = value as KeptTemplate
  // In this order: a crash between the two leaves a name that is closed as it will be.
  if (!NEVER_APPROVED.includes(status))
    await store.keep(number, {
      kind: 'closed name',
      id: closedNameId(number, name, language),
      value: {},
      bytes: null,
      expiresAt: later(await store.now(number), NAME_CLOSED_MS),
    })
  await store.drop(number, 'template', id)
}

/** Whether the operator takes no template of that name and language yet. */
export const isNameClosed = async (
  store: SimulatorStore,
  number: SimulatedNumber,
  name: string,
  language: string,
): Promise<boolean> => (await store.find(closedNameId(number, name, language))) !== undefined

/** The account's templates as they stand now. */
export async function listTemplates(
  store: SimulatorStore,
  number: SimulatedNumber,
): Promise<SimulatedObject[]> {
  const now = await store.now(number)
  const kept = await store.list(number, 'template')
  const sample = sampleTemplate(number.accountId)
  const all = kept.some(({ id }) => id === sample.id) ? kept : [sample, ...kept]
  return all.map((template) => standing(template, now))
}

/** A template as it stands at `now`. */
export const standing = (template: SimulatedObject, now: Date): SimulatedObject =>
  new Date(String(template.value.decidedAt)) <= now
    ? template
    : { ...template, value: { ...template.value, status: 'PENDING', rejected_reason: 'NONE' } }

/** What the operator may do to a template later; reported by webhook at once (docs/formats.md section 10). */
export type TemplateChange =
  /** PAUSED, DISABLED, REINSTATED, REJECTED, FLAGGED … */
  | { event: string; reason?: string }
  /** `impending` announces the change only. */
  | { category: string; impending?: boolean }
  /** GREEN, YELLOW or RED. */
  | { quality: string }

/** Changes a template as the operator would and reports it. */
export async function changeTemplate(
  store: SimulatorStore,
  number: SimulatedNumber,
  template: SimulatedObject,
  change: TemplateChange,
): Promise<void> {
  const kept = template.value as KeptTemplate
  const updatedAt = (await store.now(number)).toISOString()
  await store.keep(number, { ...template, value: { ...kept, ...patchOf(kept, change), updatedAt } })
  const report = { afterMs: 0, ...changeReport(template.id, kept, change) }
  await store.schedule(number, [report], undefined)
}

/** Reports what an edited template says. */
export async function reportEdit(
  store: SimulatorStore,
  number: SimulatedNumber,
  id: string,
  template: Pick<KeptTemplate, 'name' | 'language' | 'components'>,
): Promise<void> {
  await store.schedule(number, [{ afterMs: 0, ...editReport(id, template) }], undefined)
}

function patchOf({ category, pauses }: KeptTemplate, change: TemplateChange): Partial<KeptTemplate> {
  if ('quality' in change) return { quality: change.quality }
  if ('category' in change)
    return change.impending === true
      ? { correct_category: change.category }
      : { category: change.category, previous_category: category, correct_category: undefined }
  if (change.event === 'FLAGGED') return {}
  return {
    ...(change.event === 'PAUSED' ? { pauses: (pauses ?? 0) + 1 } : {}),
    status: change.event === 'REINSTATED' ? 'APPROVED' : change.event,
    rejected_reason: change.reason ?? 'NONE',
  }
}
