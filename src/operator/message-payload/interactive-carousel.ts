/** Cards with a picture or video that customers scroll sideways (docs/formats.md section 2). */
import { z } from 'zod'
import { component } from '../../core/component.ts'
import { checked, exactly, kinds, listOf, object, raiseRepeats, wholeNumber, words } from './fields.ts'
import { Body, body, ImageHeader, label, VideoHeader } from './interactive-parts.ts'
import { OpenAddress } from './interactive-requests.ts'

const CARDS_MIN = 2
const CARDS_MAX = 10
const LINE_BREAKS_MAX = 2

const QuickReply = object({
  type: exactly('quick_reply'),
  quick_reply: object({ id: words(256), title: label }),
})
const QuickReplies = object({ buttons: listOf(QuickReply, 1, 3) }).meta(
  component('CardButtons', 'Buttons of a card.'),
)

const Card = object({
  card_index: wholeNumber(0, CARDS_MAX - 1),
  /** `cta_url` even if the card has quick replies; optional. */
  type: exactly('cta_url').optional(),
  header: z
    .discriminatedUnion('type', [ImageHeader, VideoHeader], kinds(['image', 'video']))
    .meta(component('CardHeader', 'The picture or video of a card.')),
  body: body(160)
    .refine(({ text }) => text.split('\n').length <= LINE_BREAKS_MAX + 1, {
      error: `Must have at most ${LINE_BREAKS_MAX} line breaks.`,
      path: ['text'],
    })
    .optional(),
  action: z
    .union([OpenAddress, QuickReplies], {
      error: 'Must be {"name": "cta_url", "parameters": {…}} or {"buttons": [{"type": "quick_reply", …}]}.',
    })
    .meta(component('CardAction', 'The button that opens an address, or the buttons to tap.')),
}).meta(component('Card', 'A card of a carousel.'))
type Card = z.output<typeof Card>

/**
 * Returns the properties that all cards of a message must share: the kind of header, and the number and kind
 * of buttons.
 */
const kindOf = ({ header, action }: Card): { header: string; buttons: string } => ({
  header: header.type,
  buttons: 'buttons' in action ? `${action.buttons.length} quick_reply` : 'cta_url',
})

/** A message of 2 to 10 cards of the same structure. */
export const CarouselMessage = object({
  type: exactly('carousel'),
  body: Body,
  action: object({
    cards: listOf(Card, CARDS_MIN, CARDS_MAX).check(
      checked((cards, raise) => {
        raiseRepeats(
          cards.map((card, i) => ({ value: String(card.card_index), path: [i, 'card_index'] })),
          raise,
        )
        const first = cards[0] && kindOf(cards[0])
        for (const [i, card] of cards.entries()) {
          const own = kindOf(card)
          if (own.header !== first?.header) raise([i, 'header', 'type'], 'Must be the same for all cards.')
          if (own.buttons !== first?.buttons)
            raise([i, 'action'], 'Must have the same number and kind of buttons on all cards.')
        }
      }),
    ),
  }),
})
