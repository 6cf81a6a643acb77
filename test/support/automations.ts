/** Automations in tests, and the results of their runs. */
import type { Body, Client } from './boot.ts'
import { until } from './until.ts'

export type MadeAutomation = { id: string; secret: string | null }

/** Creates an automation. By default it adds a note to the lead. */
export async function automate(
  shop: Client,
  input: { name?: string; trigger: object; conditions?: object; actions?: object[]; enabled?: boolean },
): Promise<MadeAutomation> {
  const { status, body } = await shop.post('/automations', {
    name: 'Test',
    actions: [{ type: 'add_note', text: 'ran', on: 'lead' }],
    ...input,
  })
  if (status !== 201) throw new Error(`no automation: ${JSON.stringify(body)}`)
  return { id: body.automation.id, secret: body.secret }
}

const isOver = ({ status }: Body): boolean => status !== 'waiting' && status !== 'running'

export const listRuns = async (shop: Client, id: string): Promise<Body[]> =>
  (await shop.get(`/automations/${id}/runs?limit=100`)).body.runs

/** Returns the runs of an automation, oldest first, once there are `count` of them and all have ended. */
export const runsOf = (shop: Client, id: string, count = 1): Promise<Body[]> =>
  until(async () => {
    const runs = await listRuns(shop, id)
    return runs.length >= count && runs.every(isOver) ? runs.reverse() : undefined
  }, `${count} runs of ${id}`)

let people = 0
/** Returns a phone number that no other test uses. */
export const newPhone = (): string => `+9197${String(10_000_000 + people++)}`

/** Creates a lead, which emits `lead.created`. */
export async function newLead(shop: Client, more: object = {}): Promise<Body> {
  return (await shop.post('/leads', { phone: newPhone(), name: 'Asha Rao', ...more })).body.lead
}

/** Returns the notes that the platform wrote on a lead, oldest first. */
export async function notesOf(shop: Client, leadId: string): Promise<Body[]> {
  const { entries } = (await shop.get(`/leads/${leadId}/timeline?limit=100`)).body
  return entries.filter(({ kind, actor }: Body) => kind === 'note' && actor.kind === 'platform').reverse()
}
