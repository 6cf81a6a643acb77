import { Bot } from 'lucide-react'
import type { MenuEntry } from '../../../kit/menu.tsx'
import { openHelp } from './opened.ts'
import { t } from './texts.ts'

/** Returns the entries of the composer's menu. */
export const assistantEntries = (conversationId: string): MenuEntry[] => [
  'line',
  { label: t('action.draft'), icon: Bot, onSelect: () => openHelp(conversationId, 'draft') },
  { label: t('action.summary'), icon: Bot, onSelect: () => openHelp(conversationId, 'summary') },
]
