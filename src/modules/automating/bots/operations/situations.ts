/** Reads the data that a script uses: the customer, and whether the business is open. */
import type { Context, Unit } from '../../../../core/context.ts'
import type { FoundContact } from '../../../messaging/contacts/operations/find-contact.ts'
import { nameOf } from '../../../messaging/contacts/schema.ts'
import { readOpen } from '../../../platform/business-hours/operations.ts'
import type { BotDefinition } from '../schema.ts'
import type { Situation } from '../script/play-script.ts'

type Scene = { ctx: Context; contact: FoundContact; definition: BotDefinition }

const looksAtHours = ({ nodes }: BotDefinition): boolean =>
  nodes.some((node) => node.type === 'condition' && node.field === 'now.open')

/** Returns one situation for each scene, in order. Reads business hours only for scripts that use them. */
export async function readSituations(unit: Unit, scenes: Scene[]): Promise<Situation[]> {
  const open = await readOpen(
    unit,
    scenes.flatMap(({ ctx, definition }) => (looksAtHours(definition) ? [ctx] : [])),
  )
  return scenes.map(({ ctx: { workspace }, contact }) => ({
    subject: {
      contact: {
        name: nameOf(contact),
        phone: contact.phone,
        tags: contact.tags,
        attributes: contact.attributes,
      },
      open: open.get(workspace.id),
      countryCode: workspace.countryCode,
    },
    // A sandbox calls no outside service.
    assistant: !workspace.sandbox,
  }))
}
