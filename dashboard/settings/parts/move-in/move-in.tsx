/** Imports past messages from other tools: chooses a source, checks it, and shows each import with its report. */
import { useQuery } from '@tanstack/react-query'
import {
  ChevronRight,
  FileSpreadsheet,
  Inbox,
  type LucideIcon,
  MessagesSquare,
  Smartphone,
} from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { lazyComponent } from '../../../kit/lazy.tsx'
import { LoadedRows } from '../../../kit/loaded-rows.tsx'
import { Section } from '../../../kit/page.tsx'
import { Empty } from '../../../kit/states.tsx'
import { ImportCard } from './import-card.tsx'
import { historyImportsQuery } from './queries.ts'
import { t } from './texts.ts'

type DialogProps = { onClose: () => void }

const ChatwootDialog = lazyComponent(() =>
  import('./chatwoot-dialog.tsx').then((module) => module.ChatwootDialog),
)
const FileDialog = lazyComponent(() => import('./file-dialog.tsx').then((module) => module.FileDialog))

const SOURCES = ['chatwoot', 'whatsapp_export', 'history_file'] as const
type Source = (typeof SOURCES)[number]

const ICONS: Record<Source, LucideIcon> = {
  chatwoot: MessagesSquare,
  whatsapp_export: Smartphone,
  history_file: FileSpreadsheet,
}

const DIALOGS: Record<Source, ComponentType<DialogProps>> = {
  chatwoot: ChatwootDialog,
  whatsapp_export: (props) => <FileDialog source="whatsapp_export" {...props} />,
  history_file: (props) => <FileDialog source="history_file" {...props} />,
}

function SourceButton({ source, onChoose }: { source: Source; onChoose: () => void }) {
  const Icon = ICONS[source]
  return (
    <button
      type="button"
      onClick={onChoose}
      className="flex h-full min-h-16 w-full items-center gap-3 rounded-lg border bg-surface-1 px-4 py-3 text-start hover:bg-surface-2"
    >
      <Icon aria-hidden size={20} className="shrink-0 text-ink-3" />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">{t(`source.${source}`)}</span>
        <span className="block text-sm text-ink-2">{t(`source.${source}.text`)}</span>
      </span>
      <ChevronRight aria-hidden size={16} className="shrink-0 text-ink-3 rtl:-scale-x-100" />
    </button>
  )
}

export function MoveIn() {
  const query = useQuery(historyImportsQuery)
  const [source, setSource] = useState<Source>()
  const Dialog = source && DIALOGS[source]
  const imports = query.data ?? []
  return (
    <>
      <Section title={t('title')} description={t('text')}>
        <ul aria-label={t('source')} className="grid gap-3 lg:grid-cols-3">
          {SOURCES.map((choice) => (
            <li key={choice}>
              <SourceButton source={choice} onChoose={() => setSource(choice)} />
            </li>
          ))}
        </ul>
      </Section>
      <Section title={t('imports')} description={t('imports.text')}>
        <LoadedRows
          query={query}
          rows={imports}
          empty={
            <Empty icon={Inbox} title={t('imports.empty')}>
              {t('imports.empty.text')}
            </Empty>
          }
        >
          <ul aria-label={t('imports')} className="flex flex-col gap-3">
            {imports.map((current) => (
              <ImportCard key={current.id} current={current} />
            ))}
          </ul>
        </LoadedRows>
      </Section>
      {Dialog && <Dialog onClose={() => setSource(undefined)} />}
    </>
  )
}
