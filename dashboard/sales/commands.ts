/** Defines the commands for sales documents, for the palette and for keys. */
import { type Command, createCommand, moveCommands } from '../commands.ts'
import type en from './en.json'

type Title = Extract<keyof typeof en, `action.${string}`>

export type SalesListContext = {
  mayWrite: boolean
  create: () => void
  search: () => void
  move: (by: 1 | -1) => void
}

export const SALES_LIST_COMMANDS: readonly Command<SalesListContext, Title>[] = [
  createCommand('sales-create', 'action.create'),
  { id: 'sales-search', title: 'action.search', keys: '/', run: (context) => context.search() },
  ...moveCommands('sales'),
]

export type DocumentContext = {
  goBack: () => void
  recordPayment: (() => void) | undefined
  revise: (() => void) | undefined
}

export const DOCUMENT_COMMANDS: readonly Command<DocumentContext, Title>[] = [
  { id: 'document-back', title: 'action.back', keys: 'Escape', run: (context) => context.goBack() },
  {
    id: 'document-pay',
    title: 'action.pay',
    keys: 'p',
    when: (context) => context.recordPayment !== undefined,
    run: (context) => context.recordPayment?.(),
  },
  {
    id: 'document-revise',
    title: 'action.revise',
    keys: 'e',
    when: (context) => context.revise !== undefined,
    run: (context) => context.revise?.(),
  },
]
