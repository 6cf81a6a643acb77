/** Defines the commands of the lead pages, for the palette and for keys. */
import type { Lead } from '../../sdk/api.ts'
import { type Command, createCommand } from '../commands.ts'
import type en from './en.json'
import { CARD_ORDERS, type CardOrder } from './order.ts'
import type { CloseKind } from './parts/question.tsx'

export type LeadsContext = {
  /** The lead selected by keyboard. */
  lead: Lead | undefined
  mayWrite: boolean
  isBoard: boolean
  create: () => void
  importFile: () => void
  chooseStage: () => void
  chooseOwner: () => void
  /** Wins or loses the lead. */
  close: (kind: CloseKind) => void
  /** Sorts the cards in the columns of the board. */
  sortCards: (order: CardOrder) => void
  openLead: () => void
  focusSearch: () => void
  toggleLayout: () => void
  /** Moves the selection within a column, and between columns. */
  move: (down: number, across: number) => void
}
type Title = Extract<keyof typeof en, `action.${string}`>

const mayChange = ({ lead, mayWrite }: Pick<LeadsContext, 'lead' | 'mayWrite'>): boolean =>
  mayWrite && lead !== undefined

/** Shift guards the two letters: a closed lead leaves the views of open leads. */
const closeCommands = (
  page: string,
): readonly Command<Pick<LeadsContext, 'lead' | 'mayWrite' | 'close'>, Title>[] => [
  {
    id: `${page}-won`,
    title: 'action.won',
    keys: 'Shift+w',
    when: (context) => mayChange(context) && context.lead?.stage.kind !== 'won',
    run: (context) => context.close('won'),
  },
  {
    id: `${page}-lost`,
    title: 'action.lost',
    keys: 'Shift+l',
    when: (context) => mayChange(context) && context.lead?.stage.kind !== 'lost',
    run: (context) => context.close('lost'),
  },
]

const sortCommand = (order: CardOrder): Command<LeadsContext, Title> => ({
  id: `leads-sort-${order}`,
  title: `action.sort.${order}`,
  when: (context) => context.isBoard,
  run: (context) => context.sortCards(order),
})

export const LEADS_COMMANDS: readonly Command<LeadsContext, Title>[] = [
  { id: 'leads-next', title: 'action.next', keys: 'j', run: (context) => context.move(1, 0) },
  { id: 'leads-previous', title: 'action.previous', keys: 'k', run: (context) => context.move(-1, 0) },
  {
    id: 'leads-right',
    title: 'action.nextStage',
    keys: 'l',
    when: (context) => context.isBoard,
    run: (context) => context.move(0, 1),
  },
  {
    id: 'leads-left',
    title: 'action.previousStage',
    keys: 'h',
    when: (context) => context.isBoard,
    run: (context) => context.move(0, -1),
  },
  {
    id: 'leads-open',
    title: 'action.open',
    keys: 'Enter',
    when: ({ lead }) => lead !== undefined,
    run: (context) => context.openLead(),
  },
  {
    id: 'leads-stage',
    title: 'action.move',
    keys: 's',
    when: mayChange,
    run: (context) => context.chooseStage(),
  },
  {
    id: 'leads-assign',
    title: 'action.assign',
    keys: 'a',
    when: mayChange,
    run: (context) => context.chooseOwner(),
  },
  ...closeCommands('leads'),
  createCommand('leads-new', 'action.new'),
  {
    id: 'leads-import',
    title: 'action.import',
    when: ({ mayWrite }) => mayWrite,
    run: (context) => context.importFile(),
  },
  { id: 'leads-search', title: 'action.search', keys: '/', run: (context) => context.focusSearch() },
  {
    id: 'leads-table',
    title: 'action.table',
    keys: 'v',
    when: (context) => context.isBoard,
    run: (context) => context.toggleLayout(),
  },
  {
    id: 'leads-board',
    title: 'action.board',
    keys: 'v',
    when: (context) => !context.isBoard,
    run: (context) => context.toggleLayout(),
  },
  ...CARD_ORDERS.map(sortCommand),
]

export type LeadContext = Pick<
  LeadsContext,
  'lead' | 'mayWrite' | 'chooseStage' | 'chooseOwner' | 'close'
> & {
  openChat: () => void
  writeNote: () => void
  createTask: () => void
  goBack: () => void
  /** Opens the lead before or after this one in the last list; undefined if there is none. */
  toPrevious: (() => void) | undefined
  toNext: (() => void) | undefined
}

export const LEAD_COMMANDS: readonly Command<LeadContext, Title>[] = [
  {
    id: 'lead-stage',
    title: 'action.move',
    keys: 's',
    when: mayChange,
    run: (context) => context.chooseStage(),
  },
  {
    id: 'lead-assign',
    title: 'action.assign',
    keys: 'a',
    when: mayChange,
    run: (context) => context.chooseOwner(),
  },
  ...closeCommands('lead'),
  {
    id: 'lead-note',
    title: 'action.note',
    keys: 'n',
    when: mayChange,
    run: (context) => context.writeNote(),
  },
  {
    id: 'lead-task',
    title: 'action.task',
    keys: 't',
    when: mayChange,
    run: (context) => context.createTask(),
  },
  {
    id: 'lead-chat',
    title: 'action.chat',
    keys: 'o',
    when: ({ lead }) => typeof lead?.conversationId === 'string',
    run: (context) => context.openChat(),
  },
  {
    id: 'lead-next',
    title: 'action.next',
    keys: 'j',
    when: ({ toNext }) => toNext !== undefined,
    run: ({ toNext }) => toNext?.(),
  },
  {
    id: 'lead-previous',
    title: 'action.previous',
    keys: 'k',
    when: ({ toPrevious }) => toPrevious !== undefined,
    run: ({ toPrevious }) => toPrevious?.(),
  },
  { id: 'lead-back', title: 'action.back', keys: 'Escape', run: (context) => context.goBack() },
]
