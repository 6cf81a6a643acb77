/** What can be done on the pages of the photo network, by palette and keys. */
import type { Command } from '../commands.ts'
import type en from './en.json'
import type { View } from './view.ts'

export type SocialAt = { move: (by: 1 | -1) => void; show: (view: View) => void }

export const SOCIAL_COMMANDS: readonly Command<SocialAt, Extract<keyof typeof en, `action.${string}`>>[] = [
  { id: 'social-next', title: 'action.next', keys: 'j', run: (at) => at.move(1) },
  { id: 'social-previous', title: 'action.previous', keys: 'k', run: (at) => at.move(-1) },
  { id: 'social-messages', title: 'action.messages', keys: '1', run: (at) => at.show('messages') },
  { id: 'social-comments', title: 'action.comments', keys: '2', run: (at) => at.show('comments') },
  { id: 'social-posts', title: 'action.posts', keys: '3', run: (at) => at.show('posts') },
  { id: 'social-insights', title: 'action.insights', keys: '4', run: (at) => at.show('insights') },
]
