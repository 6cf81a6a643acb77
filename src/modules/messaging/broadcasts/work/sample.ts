/** The sample of a campaign that compares templates: its people, their variants, and their contents. */
import type { Context } from '../../../../core/context.ts'
import { type FilledContent, fillPersonal } from '../../templates/operations/personal-values.ts'
import { assignVariant } from '../operations/assign-variant.ts'
import type { BroadcastRow } from '../queries/broadcasts.ts'
import { listPersonalContacts } from '../queries/personal-contacts.ts'
import { listVariants, type VariantRow } from '../queries/variants.ts'

/** The variants of a sample, and the number of the variant for each of its people. */
export type Sample = { variants: VariantRow[]; numbers: ReadonlyMap<string, number> }

type Sampled = { contactId: string; variant?: number | null | undefined }

/**
 * Returns the sample among these people; undefined if the campaign does not send a sample now. People who waited keep
 * their variant.
 */
export async function findSample(
  ctx: Context,
  row: BroadcastRow,
  people: readonly Sampled[],
): Promise<Sample | undefined> {
  if (row.testPhase !== 'sample') return undefined
  const variants = await listVariants(ctx, row.id)
  const test = { broadcastId: row.id, samplePercent: row.samplePercent! }
  const numbers = people.flatMap(({ contactId, variant }) => {
    const number = variant ?? assignVariant(test, variants, contactId)
    return number === null ? [] : [[contactId, number] as const]
  })
  return { variants, numbers: new Map(numbers) }
}

/** Returns the content of each contact by its variant; without contacts who lack a value. */
export async function fillVariants(
  ctx: Context,
  { variants, numbers }: Sample,
  contactIds: readonly string[],
): Promise<Map<string, FilledContent>> {
  const variantByNumber = new Map(variants.map((variant) => [variant.number, variant]))
  const variantOf = (contactId: string): VariantRow => variantByNumber.get(numbers.get(contactId)!)!
  const isPersonal = (contactId: string): boolean => variantOf(contactId).personal !== null
  const same = contactIds
    .filter((id) => !isPersonal(id))
    .map((id) => [id, { content: variantOf(id).content, text: variantOf(id).templateText }] as const)
  const contacts = await listPersonalContacts(ctx, contactIds.filter(isPersonal))
  const personal = contacts.flatMap((contact) => {
    const filled = fillPersonal(variantOf(contact.id).personal!, contact)
    return filled ? [[contact.id, filled] as const] : []
  })
  return new Map<string, FilledContent>([...same, ...personal])
}
