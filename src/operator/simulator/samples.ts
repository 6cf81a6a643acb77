/**
 * The objects that every account has from the start. Their ids are the account's id with a digit before it.
 */
import type { SimulatedObject, SimulatorStore } from './store.ts'

export const sampleFlowId = (accountId: string): string => `8${accountId}`
const sampleTemplateId = (accountId: string): string => `9${accountId}`

export const isSampleTemplate = ({ id, accountId }: SimulatedObject): boolean =>
  id === sampleTemplateId(accountId)

/** The sample template that the operator gives to every account. */
export const sampleTemplate = (accountId: string): SimulatedObject => ({
  kind: 'template',
  id: sampleTemplateId(accountId),
  accountId,
  value: {
    name: 'hello_world',
    language: 'en_US',
    category: 'UTILITY',
    parameter_format: 'POSITIONAL',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hello World' },
      {
        type: 'BODY',
        text: 'This message shows that a template goes out from your number. Thank you for trying it.',
      },
      { type: 'FOOTER', text: 'A sample message' },
    ],
    status: 'APPROVED',
    rejected_reason: 'NONE',
    quality: 'UNKNOWN',
    decidedAt: SAMPLE_SINCE,
    updatedAt: SAMPLE_SINCE,
  },
  bytes: null,
  expiresAt: null,
})
const SAMPLE_SINCE = '2024-01-01T00:00:00.000Z'

/** Finds a stored object or a sample of an account by its id. */
export async function findObject(store: SimulatorStore, id: string): Promise<SimulatedObject | undefined> {
  const object = await store.find(id)
  if (object !== undefined) return object
  const accountId = id.slice(1)
  if (id === sampleTemplateId(accountId)) return sampleTemplate(accountId)
  if (id === sampleFlowId(accountId))
    return { kind: 'flow', id, accountId, value: {}, bytes: null, expiresAt: null }
  return undefined
}
