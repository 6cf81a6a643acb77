/** Shows the cards of a carousel below its message; the reader scrolls them sideways. */
import { t } from '../texts.ts'
import type { Part } from './draft.ts'
import { MessageParts, PreviewButtons, type PreviewValues } from './preview-parts.tsx'

/** Returns the values of one card, without its place in their names: `card-0-body-1` becomes `body-1`. */
const valuesOf = (values: PreviewValues, place: number): PreviewValues => {
  const prefix = `card-${place}-`
  return Object.fromEntries(
    Object.entries(values).flatMap(([id, value]) =>
      id.startsWith(prefix) ? [[id.slice(prefix.length), value]] : [],
    ),
  )
}

type Props = { cards: NonNullable<Part['cards']>; values: PreviewValues }

export const PreviewCards = ({ cards, values }: Props) => (
  <ul
    aria-label={t('preview.cards')}
    // biome-ignore lint/a11y/noNoninteractiveTabindex: keys scroll the cards
    tabIndex={0}
    className="scroll-thin -ms-px -me-9 flex gap-2 overflow-x-auto px-px pt-1 pb-2"
  >
    {cards.map(({ components = [] }, place) => {
      const cardValues = valuesOf(values, place)
      return (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: cards have only their place as an identity
          key={place}
          className="flex w-52 shrink-0 flex-col gap-1"
        >
          <div className="flex-1 rounded-lg bg-surface-1 p-2.5 shadow-[0_0_0_1px_var(--color-line)]">
            <MessageParts components={components} values={cardValues} isCard />
          </div>
          <PreviewButtons components={components} values={cardValues} />
        </li>
      )
    })}
  </ul>
)
