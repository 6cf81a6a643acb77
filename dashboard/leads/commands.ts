/** Defines the commands of the lead pages, for the palette and for keys. */
import type { Lead } from '../../sdk/api.ts'
import type { Command } from '../commands.ts'
import type en from './en.json'

export type LeadsAt = {
  /** The lead selected by keyboard. */
  lead: Lead | undefined
  mayWrite: boolean
  isBoard: boolean
  create: () => void
  stage: () => void
  assign: () => void
  open: () => void
  search: () => void
  layout: () => void
  /** Moves the selection within a column, and between columns. */
  move: (down: number, across: number) => void
}
type Title = Extract<keyof typeof en, `action.${string}`>

const mayChange = ({ lead, mayWrite }: Pick<LeadsAt, 'lead' | 'mayWrite'>): boolean =>
  mayWrite && lead !== undefined

export const LEADS_COMMANDS: readonly Command<LeadsAt, Title>[] = [
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
    run: (context) => context.open(),
  },
  { id: 'leads-stage', title: 'action.move', keys: 's', when: mayChange, run: (context) => context.stage() },
  {
    id: 'leads-assign',
    title: 'action.assign',
    keys: 'a',
    when: mayChange,
    run: (context) => context.assign(),
  },
  {
    id: 'leads-new',
    title: 'action.new',
    keys: 'c',
    when: (context) => context.mayWrite,
    run: (context) => context.create(),
  },
  { id: 'leads-search', title: 'action.search', keys: '/', run: (context) => context.search() },
  {
    id: 'leads-table',
    title: 'action.table',
    keys: 'v',
    when: (context) => context.isBoard,
    run: (context) => context.layout(),
  },
  {
    id: 'leads-board',
    title: 'action.board',
    keys: 'v',
    when: (context) => !context.isBoard,
    run: (context) => context.layout(),
  },
]

export type LeadAt = Pick<LeadsAt, 'lead' | 'mayWrite' | 'stage' | 'assign'> & {
  chat: () => void
  note: () => void
  task: () => void
  back: () => void
}

export const LEAD_COMMANDS: readonly Command<LeadAt, Title>[] = [
  { id: 'lead-stage', title: 'action.move', keys: 's', when: mayChange, run: (context) => context.stage() },
  {
    id: 'lead-assign',
    title: 'action.assign',
    keys: 'a',
    when: mayChange,
    run: (context) => context.assign(),
  },
  { id: 'lead-note', title: 'action.note', keys: 'n', when: mayChange, run: (context) => context.note() },
  { id: 'lead-task', title: 'action.task', keys: 't', when: mayChange, run: (context) => context.task() },
  {
    id: 'lead-chat',
    title: 'action.chat',
    keys: 'o',
    when: ({ lead }) => typeof lead?.conversationId === 'string',
    run: (context) => context.chat(),
  },
  { id: 'lead-back', title: 'action.back', keys: 'Escape', run: (context) => context.back() },
]
