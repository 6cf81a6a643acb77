import { randomInt } from 'node:crypto'
import { DAY_MS, later, SECOND_MS } from '../../core/clock.ts'
import { hasOptOutText } from '../template-components/opt-out-text.ts'
import { sampleTemplate } from './samples.ts'
import type { SimulatedNumber, SimulatedObject, SimulatorStore } from './store.ts'
import { changeReport, decisionReport, editReport } from './template-webhooks.ts'

/** A template as the simulated operator stores it. */
export type KeptTemplate = {
  name: string
  language: string
  category: string
  parameter_format: string
  components: unknown[]
  /** The status from `decidedAt` on; until then it is PENDING. */
  status: string
  rejected_reason: string
  quality: string
  decidedAt: string
  /** When the template was last created, edited, or changed by the operator. */
  updatedAt: string
  /** Its category before the operator changed it, and the category that the operator considers correct. */
  previous_category?: string
  correct_category?: string
  /** The number of times that the template was paused. */
  pauses?: number
  /** Its further settings at creation, as a node shows them. */
  settings?: Record<string, unknown>
}

/** The fields of a submission. */
export type SubmittedTemplate = Pick<
  KeptTemplate,
  'name' | 'language' | 'category' | 'parameter_format' | 'components' | 'settings'
>

/** From submission to decision (spec 4.9: a few seconds). */
const DECISION_MS = 3 * SECOND_MS

// Fifteen digits, because webhooks contain it as a number.
const newTemplateId = (): string =>
  `1${String(randomInt(1e7)).padStart(7, '0')}${String(randomInt(1e7)).padStart(7, '0')}`

/**
 * Accepts a template and decides about it a few seconds later: rejects marketing without a way to opt out,
 * approves everything else. Returns its id after the decision is durably scheduled.
 */
export async function keepTemplate(
  store: SimulatorStore,
  number: SimulatedNumber,
  template: SubmittedTemplate,
): Promise<string> {
  const id = newTemplateId()
  await submitForReview(store, number, id, template)
  return id
}

/** Submits a template for review, at creation or after a change. */
export async function submitForReview(
  store: SimulatorStore,
  number: SimulatedNumber,
  id: string,
  template: SubmittedTemplate,
): Promise<void> {
  const now = await store.now(number)
  const good = template.category !== 'MARKETING' || hasOptOutText(template.components)
  const stored: KeptTemplate = {
    ...template,
    status: good ? 'APPROVED' : 'REJECTED',
    rejected_reason: good ? 'NONE' : 'INVALID_FORMAT',
    quality: 'UNKNOWN',
    decidedAt: later(now, DECISION_MS).toISOString(),
    updatedAt: now.toISOString(),
  }
  const report = { afterMs: DECISION_MS, ...decisionReport(id, stored) }
  // In this order: a crash between the two leaves a decision without a template, never a template without a
  // decision.
  await store.schedule(number, [report], undefined)
  await store.keep(number, { kind: 'template', id, value: stored, bytes: null, expiresAt: null })
}

/** The time for which a template's name stays blocked after an approved template was deleted. */
const NAME_CLOSED_MS = 30 * DAY_MS
const NEVER_APPROVED = ['PENDING', 'REJECTED']

const closedNameId = ({ accountId }: SimulatedNumber, name: string, language: string): string =>
  `closed:${accountId}:${language}:${name}`

/** Deletes a template; if it was ever approved, its name stays blocked in its language for 30 days. */
export async function deleteTemplate(
  store: SimulatorStore,
  number: SimulatedNumber,
  { id, value }: SimulatedObject,
): Promise<void> {
  const { name, language, status } = value as KeptTemplate
  // In this order: a crash between the two leaves a blocked name, as intended.
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

/** Returns whether the operator refuses new templates of that name and language for now. */
export const isNameClosed = async (
  store: SimulatorStore,
  number: SimulatedNumber,
  name: string,
  language: string,
): Promise<boolean> => (await store.find(closedNameId(number, name, language))) !== undefined

/** Returns the account's templates in their current state. */
export async function listTemplates(
  store: SimulatorStore,
  number: SimulatedNumber,
): Promise<SimulatedObject[]> {
  const now = await store.now(number)
  const stored = await store.list(number, 'template')
  const sample = sampleTemplate(number.accountId)
  const templates = stored.some(({ id }) => id === sample.id) ? stored : [sample, ...stored]
  return templates.map((template) => templateAt(template, now))
}

/** Returns a template in its state at `now`. */
export const templateAt = (template: SimulatedObject, now: Date): SimulatedObject =>
  new Date(String(template.value.decidedAt)) <= now
    ? template
    : { ...template, value: { ...template.value, status: 'PENDING', rejected_reason: 'NONE' } }

/** A later change by the operator, reported by webhook immediately (docs/formats.md section 10). */
export type TemplateChange =
  /** PAUSED, DISABLED, REINSTATED, REJECTED, FLAGGED … */
  | { event: string; reason?: string }
  /** `impending` only announces the change. */
  | { category: string; impending?: boolean }
  /** GREEN, YELLOW, or RED. */
  | { quality: string }

/** Changes a template as the operator would, and reports the change. */
export async function changeTemplate(
  store: SimulatorStore,
  number: SimulatedNumber,
  template: SimulatedObject,
  change: TemplateChange,
): Promise<void> {
  const current = template.value as KeptTemplate
  const updatedAt = (await store.now(number)).toISOString()
  await store.keep(number, { ...template, value: { ...current, ...patchOf(current, change), updatedAt } })
  const report = { afterMs: 0, ...changeReport(template.id, current, change) }
  await store.schedule(number, [report], undefined)
}

/** Reports the content of an edited template. */
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
