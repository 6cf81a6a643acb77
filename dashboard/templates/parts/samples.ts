/** Reads the samples of a template's values, as the operator sees them during its review. */
import type { Template } from '../../../sdk/api.ts'
import { draftOf, examplesIn, oneOf, type Part, partOf } from './draft.ts'

type Button = NonNullable<Part['buttons']>[number]
type Card = NonNullable<Part['cards']>[number]

/** Returns the ending in the sample of a button's address: the operator's samples are endings or whole addresses. */
function endingOf({ url = '', example }: Button): string {
  const sample = oneOf(example)
  const start = url.split('{{')[0]!
  return sample.startsWith(start) ? sample.slice(start.length) : sample
}

const samplesOfButtons = (buttons: Button[]): Record<string, string> =>
  Object.fromEntries(
    buttons.flatMap((button, index): [string, string][] => {
      if (button.type === 'URL' && button.url?.includes('{{')) return [[`url-${index}`, endingOf(button)]]
      return button.type === 'COPY_CODE' ? [['coupon', oneOf(button.example)]] : []
    }),
  )

const samplesOfCard = ({ components = [] }: Card): Record<string, string> => ({
  ...examplesIn('body', partOf(components, 'BODY') ?? {}),
  ...samplesOfButtons(partOf(components, 'BUTTONS')?.buttons ?? []),
})

/** Returns the samples of a template by the ids of its values; those of a card have its place in front. */
export function samplesOf(template: Template): Record<string, string> {
  const components = template.components as Part[]
  const { cards = [] } = partOf(components, 'CAROUSEL') ?? {}
  return {
    ...draftOf(template).examples,
    ...samplesOfButtons(partOf(components, 'BUTTONS')?.buttons ?? []),
    ...Object.fromEntries(
      cards.flatMap((card, place) =>
        Object.entries(samplesOfCard(card)).map(([id, sample]) => [`card-${place}-${id}`, sample]),
      ),
    ),
  }
}
