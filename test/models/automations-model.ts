/**
 * The model of automations on leads, written from src/modules/automating/automations/DECISIONS.md: a queue of
 * runs for each contact, one after another.
 */

export const STAGES = ['New', 'Contacted', 'Qualified', 'Proposal'] as const
export type Stage = (typeof STAGES)[number]
export type Trigger = 'lead.created' | 'lead.stage_changed'
export type Condition =
  | { field: 'lead.stage'; op: 'eq' | 'neq'; value: Stage }
  | { field: 'lead.rating'; op: 'gte' | 'lt'; value: number }
  | { field: 'lead.tags'; op: 'empty' | 'notEmpty' }
  | { field: 'event.to.name'; op: 'eq'; value: Stage }
export type Conditions = { match: 'all' | 'any'; conditions: Condition[] }
export type Action =
  | { type: 'set_stage'; stage: Stage }
  | { type: 'add_tags'; tags: string[]; on: 'lead' }
  | { type: 'remove_tags'; tags: string[]; on: 'lead' }
  | { type: 'add_note'; text: string; on: 'lead' }
  | { type: 'stop_if'; conditions: Conditions }

export type Automation = {
  id: string
  trigger: Trigger
  conditions: Conditions
  actions: Action[]
  enabled: boolean
  /** The results of its runs, in order for each lead. */
  runs: Map<string, string[]>
}
export type Lead = { id: string; stage: Stage; rating: number; tags: string[]; notes: string[] }
type Event = { name: Trigger; to: Stage | null; causes: string[] }
type Run = { automation: Automation; event: Event }

export type AutomationsModel = { leads: Lead[]; automations: Automation[] }

const MAX_DEPTH = 5
const MAX_OF_CONTACT = 20

function matches(lead: Lead, event: Event, condition: Condition): boolean {
  switch (condition.field) {
    case 'lead.stage':
      return (lead.stage === condition.value) === (condition.op === 'eq')
    case 'lead.rating':
      return lead.rating >= condition.value === (condition.op === 'gte')
    case 'lead.tags':
      return (lead.tags.length === 0) === (condition.op === 'empty')
    case 'event.to.name':
      return event.to === condition.value
  }
}

const isMatch = (lead: Lead, event: Event, { match, conditions }: Conditions): boolean =>
  match === 'all' || conditions.length === 0
    ? conditions.every((condition) => matches(lead, event, condition))
    : conditions.some((condition) => matches(lead, event, condition))

const isSkipped = ({ automation, event }: Run): boolean =>
  event.causes.includes(automation.id) || event.causes.length >= MAX_DEPTH

const note = ({ automation }: Run, lead: Lead, status: string): void => {
  automation.runs.set(lead.id, [...(automation.runs.get(lead.id) ?? []), status])
}

/**
 * Runs everything that follows from an event: runs in the order of their events, and for each event in the
 * order of the automations.
 */
export function happen(model: AutomationsModel, lead: Lead, first: Event): void {
  const waiting: Run[] = []
  const announce = (event: Event): void => {
    for (const automation of model.automations)
      if (automation.enabled && automation.trigger === event.name) waiting.push({ automation, event })
  }
  announce(first)
  for (let run = waiting.shift(); run; run = waiting.shift()) note(run, lead, play(lead, run, announce))
}

/** Returns the result of a run. */
function play(lead: Lead, run: Run, announce: (event: Event) => void): string {
  const { automation, event } = run
  if (isSkipped(run) || !isMatch(lead, event, automation.conditions)) return 'skipped'
  const acted = (automation.runs.get(lead.id) ?? []).filter((status) => status === 'done').length
  if (acted >= MAX_OF_CONTACT) return 'skipped'
  for (const action of automation.actions) {
    if (action.type === 'stop_if') {
      if (isMatch(lead, event, action.conditions)) break
    } else if (action.type === 'add_note') lead.notes.push(action.text)
    else if (action.type === 'add_tags') lead.tags = [...new Set([...lead.tags, ...action.tags])]
    else if (action.type === 'remove_tags') lead.tags = lead.tags.filter((tag) => !action.tags.includes(tag))
    else if (lead.stage !== action.stage) {
      lead.stage = action.stage
      announce({ name: 'lead.stage_changed', to: action.stage, causes: [...event.causes, automation.id] })
    }
  }
  return 'done'
}
