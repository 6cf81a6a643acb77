/** Defines the commands for sales documents, for the palette and for keys. */
import type { Command } from '../commands.ts'
import type en from './en.json'

type Title = Extract<keyof typeof en, `action.${string}`>

export type SalesListAt = {
  mayWrite: boolean
  create: () => void
  search: () => void
  move: (by: 1 | -1) => void
}

export const SALES_LIST_COMMANDS: readonly Command<SalesListAt, Title>[] = [
  {
    id: 'sales-create',
    title: 'action.create',
    keys: 'c',
    when: (at) => at.mayWrite,
    run: (at) => at.create(),
  },
  { id: 'sales-search', title: 'action.search', keys: '/', run: (at) => at.search() },
  { id: 'sales-next', title: 'action.next', keys: 'j', run: (at) => at.move(1) },
  { id: 'sales-previous', title: 'action.previous', keys: 'k', run: (at) => at.move(-1) },
]

export type DocumentAt = { back: () => void; pay: (() => void) | undefined; revise: (() => void) | undefined }

export const DOCUMENT_COMMANDS: readonly Command<DocumentAt, Title>[] = [
  { id: 'document-back', title: 'action.back', keys: 'Escape', run: (at) => at.back() },
  {
    id: 'document-pay',
    title: 'action.pay',
    keys: 'p',
    when: (at) => at.pay !== undefined,
    run: (at) => at.pay?.(),
  },
  {
    id: 'document-revise',
    title: 'action.revise',
    keys: 'e',
    when: (at) => at.revise !== undefined,
    run: (at) => at.revise?.(),
  },
]
