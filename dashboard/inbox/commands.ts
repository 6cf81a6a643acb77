/** Defines the commands of the inbox, for the palette and for keys. */
import type { Conversation } from '../../sdk/api.ts'
import { type Command, moveCommands } from '../commands.ts'
import type en from './en.json'
import { isDirect } from './person.ts'

export type InboxContext = {
  /** The open chat. */
  conversation: Conversation | undefined
  mayWrite: boolean
  resolve: () => void
  resolveAndNext: () => void
  chooseAssignee: () => void
  assignMe: () => void
  markUnread: () => void
  archive: () => void
  takeNext: () => void
  chooseMacro: () => void
  findInChat: () => void
  chooseSnooze: () => void
  unsnooze: () => void
  raisePriority: () => void
  editTags: () => void
  writeReply: () => void
  writeNote: () => void
  chooseTemplate: () => void
  move: (by: 1 | -1) => void
  /** True if the keyboard selection is on a chat other than the open chat. */
  canOpen: boolean
  openCurrent: () => void
  isSelecting: boolean
  toggleSelected: (isRange: boolean) => void
  clearSelection: () => void
  openNeighbor: (by: 1 | -1) => void
  focusSearch: () => void
  close: () => void
}

const isOpen = ({ conversation }: InboxContext): boolean => conversation !== undefined
const mayChange = (context: InboxContext): boolean => isOpen(context) && context.mayWrite

/** Returns whether a chat is in the lists of open chats. */
export const canSnooze = (conversation: Conversation | undefined): boolean =>
  conversation !== undefined && conversation.state !== 'resolved' && !conversation.isArchived

/** Returns whether the messages of a chat can be searched: those of the photo network can't. */
export const canFind = (conversation: Conversation | undefined): boolean =>
  conversation !== undefined && !isDirect(conversation)

export const INBOX_COMMANDS: readonly Command<
  InboxContext,
  Extract<keyof typeof en, `action.${string}` | 'selected.none'>
>[] = [
  ...moveCommands('inbox'),
  {
    id: 'inbox-open',
    title: 'action.open',
    keys: 'Enter',
    when: (context) => context.canOpen,
    run: (context) => context.openCurrent(),
  },
  {
    id: 'inbox-select',
    title: 'action.select',
    keys: 'x',
    when: (context) => context.mayWrite,
    run: (context) => context.toggleSelected(false),
  },
  {
    id: 'inbox-select-range',
    title: 'action.selectRange',
    keys: 'Shift+x',
    when: (context) => context.mayWrite,
    run: (context) => context.toggleSelected(true),
  },
  { id: 'inbox-search', title: 'action.search', keys: '/', run: (context) => context.focusSearch() },
  {
    id: 'inbox-reply',
    title: 'action.reply',
    keys: 'r',
    when: mayChange,
    run: (context) => context.writeReply(),
  },
  {
    id: 'inbox-note',
    title: 'action.note',
    keys: 'n',
    when: mayChange,
    run: (context) => context.writeNote(),
  },
  {
    id: 'inbox-template',
    title: 'action.template',
    when: (context) => mayChange(context) && canFind(context.conversation),
    run: (context) => context.chooseTemplate(),
  },
  {
    id: 'inbox-assign',
    title: 'action.assign',
    keys: 'a',
    when: mayChange,
    run: (context) => context.chooseAssignee(),
  },
  {
    id: 'inbox-me',
    title: 'action.assignMe',
    keys: 'i',
    when: mayChange,
    run: (context) => context.assignMe(),
  },
  {
    id: 'inbox-resolve',
    title: 'action.resolve',
    keys: 'e',
    when: (context) => mayChange(context) && context.conversation?.state !== 'resolved',
    run: (context) => context.resolve(),
  },
  {
    id: 'inbox-resolve-next',
    title: 'action.resolveNext',
    keys: 'Shift+e',
    when: (context) => mayChange(context) && context.conversation?.state !== 'resolved',
    run: (context) => context.resolveAndNext(),
  },
  {
    id: 'inbox-reopen',
    title: 'action.reopen',
    keys: 'e',
    when: (context) => mayChange(context) && context.conversation?.state === 'resolved',
    run: (context) => context.resolve(),
  },
  {
    id: 'inbox-unread',
    title: 'action.unread',
    keys: 'u',
    when: mayChange,
    run: (context) => context.markUnread(),
  },
  {
    id: 'inbox-priority',
    title: 'action.priority',
    keys: 'p',
    when: mayChange,
    run: (context) => context.raisePriority(),
  },
  { id: 'inbox-tag', title: 'action.tag', keys: 't', when: mayChange, run: (context) => context.editTags() },
  {
    id: 'inbox-take',
    title: 'action.takeNext',
    keys: 'q',
    when: (context) => context.mayWrite,
    run: (context) => context.takeNext(),
  },
  {
    id: 'inbox-find',
    title: 'action.find',
    keys: '$mod+f',
    when: ({ conversation }) => canFind(conversation),
    run: (context) => context.findInChat(),
  },
  {
    id: 'inbox-macro',
    title: 'action.macro',
    keys: 'm',
    when: mayChange,
    run: (context) => context.chooseMacro(),
  },
  {
    id: 'inbox-snooze',
    title: 'action.snooze',
    keys: 'z',
    when: (context) => mayChange(context) && canSnooze(context.conversation),
    run: (context) => context.chooseSnooze(),
  },
  {
    id: 'inbox-unsnooze',
    title: 'action.unsnooze',
    when: (context) => mayChange(context) && context.conversation?.isSnoozed === true,
    run: (context) => context.unsnooze(),
  },
  { id: 'inbox-archive', title: 'action.archive', when: mayChange, run: (context) => context.archive() },
  {
    id: 'inbox-before',
    title: 'action.previous',
    keys: '[',
    when: isOpen,
    run: (context) => context.openNeighbor(-1),
  },
  {
    id: 'inbox-after',
    title: 'action.next',
    keys: ']',
    when: isOpen,
    run: (context) => context.openNeighbor(1),
  },
  {
    id: 'inbox-close',
    title: 'action.back',
    keys: 'Escape',
    when: isOpen,
    run: (context) => context.close(),
  },
  {
    id: 'inbox-unselect',
    title: 'selected.none',
    keys: 'Escape',
    when: (context) => context.isSelecting,
    run: (context) => context.clearSelection(),
  },
]
