/**
 * Defines recipes that create no automation but a bot, an auto-reply, or a setting. Each opens after it is
 * created, turned off if it has a switch.
 */
import type { Api } from '../../sdk/api.ts'

export type RecipeTarget =
  | { id: string; kind: 'bot'; body: Api['POST /bots']['body'] }
  | { id: string; kind: 'autoReply'; body: Api['POST /auto-replies']['body'] }
  /** The settings for cash-on-delivery orders are on the page of the shop. */
  | { id: string; kind: 'cod' }

export const RECIPE_TARGETS: readonly RecipeTarget[] = [
  {
    id: 'welcome-menu',
    kind: 'bot',
    body: {
      name: 'Welcome menu',
      enabled: false,
      entry: { newConversation: true },
      fallback: { text: 'Please choose one of these options.', maxMisses: 2 },
      start: 'menu',
      nodes: [
        {
          id: 'menu',
          type: 'buttons',
          text: 'Welcome. How can we help you?',
          options: [
            { id: 'hours', title: 'Opening hours', next: 'hours' },
            { id: 'order', title: 'My order', next: 'order' },
            { id: 'person', title: 'Talk to us', next: 'person' },
          ],
        },
        {
          id: 'hours',
          type: 'message',
          text: 'We are open from Monday to Saturday, 9:30 to 18:30.',
          next: null,
        },
        {
          id: 'order',
          type: 'ask',
          text: 'What is your order number?',
          saveTo: 'answers.order',
          kind: 'text',
          next: 'find-order',
        },
        { id: 'find-order', type: 'handover', assign: null, note: 'Asked about order {{answers.order}}.' },
        { id: 'person', type: 'handover', assign: null, note: 'Asked for a person.' },
      ],
    },
  },
  {
    id: 'away',
    kind: 'autoReply',
    body: {
      kind: 'away',
      enabled: false,
      reply: { text: "Thanks for your message. We're closed right now and will reply when we open." },
    },
  },
  { id: 'cod', kind: 'cod' },
]
