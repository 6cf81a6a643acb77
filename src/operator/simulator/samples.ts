/** What every account has without anybody making it. Its id is the account's with a digit before it. */
import type { SimulatedObject, SimulatorStore } from './store.ts'

export const sampleFlowId = (accountId: string): string => `8${accountId}`
const sampleTemplateId = (accountId: string): string => `9${accountId}`

export const isSampleTemplate = ({ id, accountId }: SimulatedObject): boolean =>
  id === sampleTemplateId(accountId)

/** The template that the operator gives to every account, to try it with. */
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

/** What an account keeps under an id, or has without keeping it. */
export async function findObject(store: SimulatorStore, id: string): Promise<SimulatedObject | undefined> {
  const kept = await store.find(id)
  if (kept !== undefined) return kept
  const accountId = id.slice(1)
  if (id === sampleTemplateId(accountId)) return sampleTemplate(accountId)
  if (id === sampleFlowId(accountId))
    return { kind: 'flow', id, accountId, value: {}, bytes: null, expiresAt: null }
  return undefined
}
