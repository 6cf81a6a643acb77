/** Defines the commands of the inbox, for the palette and for keys. */
import type { Conversation } from '../../sdk/api.ts'
import type { Command } from '../commands.ts'
import type en from './en.json'

export type InboxAt = {
  /** The open chat. */
  conversation: Conversation | undefined
  mayWrite: boolean
  resolve: () => void
  assign: () => void
  assignMe: () => void
  unread: () => void
  archive: () => void
  raisePriority: () => void
  editTags: () => void
  reply: () => void
  note: () => void
  template: () => void
  move: (by: 1 | -1) => void
  /** True if the keyboard selection is on a chat other than the open chat. */
  canOpen: boolean
  openCurrent: () => void
  isSelecting: boolean
  toggleSelected: (isRange: boolean) => void
  clearSelection: () => void
  neighbour: (by: 1 | -1) => void
  search: () => void
  close: () => void
}

const isOpen = ({ conversation }: InboxAt): boolean => conversation !== undefined
const mayChange = (at: InboxAt): boolean => isOpen(at) && at.mayWrite

export const INBOX_COMMANDS: readonly Command<
  InboxAt,
  Extract<keyof typeof en, `action.${string}` | 'selected.none'>
>[] = [
  { id: 'inbox-next', title: 'action.next', keys: 'j', run: (at) => at.move(1) },
  { id: 'inbox-previous', title: 'action.previous', keys: 'k', run: (at) => at.move(-1) },
  {
    id: 'inbox-open',
    title: 'action.open',
    keys: 'Enter',
    when: (at) => at.canOpen,
    run: (at) => at.openCurrent(),
  },
  {
    id: 'inbox-select',
    title: 'action.select',
    keys: 'x',
    when: (at) => at.mayWrite,
    run: (at) => at.toggleSelected(false),
  },
  {
    id: 'inbox-select-range',
    title: 'action.selectRange',
    keys: 'Shift+x',
    when: (at) => at.mayWrite,
    run: (at) => at.toggleSelected(true),
  },
  { id: 'inbox-search', title: 'action.search', keys: '/', run: (at) => at.search() },
  { id: 'inbox-reply', title: 'action.reply', keys: 'r', when: mayChange, run: (at) => at.reply() },
  { id: 'inbox-note', title: 'action.note', keys: 'n', when: mayChange, run: (at) => at.note() },
  { id: 'inbox-template', title: 'action.template', when: mayChange, run: (at) => at.template() },
  { id: 'inbox-assign', title: 'action.assign', keys: 'a', when: mayChange, run: (at) => at.assign() },
  { id: 'inbox-me', title: 'action.assignMe', keys: 'i', when: mayChange, run: (at) => at.assignMe() },
  {
    id: 'inbox-resolve',
    title: 'action.resolve',
    keys: 'e',
    when: (at) => mayChange(at) && at.conversation?.state !== 'resolved',
    run: (at) => at.resolve(),
  },
  {
    id: 'inbox-reopen',
    title: 'action.reopen',
    keys: 'e',
    when: (at) => mayChange(at) && at.conversation?.state === 'resolved',
    run: (at) => at.resolve(),
  },
  { id: 'inbox-unread', title: 'action.unread', keys: 'u', when: mayChange, run: (at) => at.unread() },
  {
    id: 'inbox-priority',
    title: 'action.priority',
    keys: 'p',
    when: mayChange,
    run: (at) => at.raisePriority(),
  },
  { id: 'inbox-tag', title: 'action.tag', keys: 't', when: mayChange, run: (at) => at.editTags() },
  { id: 'inbox-archive', title: 'action.archive', when: mayChange, run: (at) => at.archive() },
  { id: 'inbox-before', title: 'action.previous', keys: '[', when: isOpen, run: (at) => at.neighbour(-1) },
  { id: 'inbox-after', title: 'action.next', keys: ']', when: isOpen, run: (at) => at.neighbour(1) },
  { id: 'inbox-close', title: 'action.back', keys: 'Escape', when: isOpen, run: (at) => at.close() },
  {
    id: 'inbox-unselect',
    title: 'selected.none',
    keys: 'Escape',
    when: (at) => at.isSelecting,
    run: (at) => at.clearSelection(),
  },
]
