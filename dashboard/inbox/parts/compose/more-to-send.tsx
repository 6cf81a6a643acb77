/** The menu of messages other than text, and the editors that it opens. */
import {
  CalendarClock,
  ClipboardList,
  FileClock,
  FileText,
  FileUp,
  IndianRupee,
  LayoutList,
  LayoutTemplate,
  MapPinned,
  Package,
  Plus,
  SquareMousePointer,
} from 'lucide-react'
import { useRef, useState } from 'react'
import type { Conversation, Message } from '../../../../sdk/api.ts'
import { useWorkspaceSession } from '../../../api/session.ts'
import { IconButton } from '../../../kit/button.tsx'
import { lazyPopup } from '../../../kit/lazy.tsx'
import { Menu } from '../../../kit/menu.tsx'
import { t as inboxText } from '../../texts.ts'
import { assistantEntries } from '../assistant/menu-entries.ts'
import { useAssistant } from '../assistant/use-assistant.ts'
import type { Editor, Opened } from './editors.ts'
import type { PartKind } from './part-shape.ts'
import { t } from './texts.ts'

const RequestPayment = lazyPopup(() =>
  import('../../../payments/parts/request-payment.tsx').then((module) => module.default),
)
const PartDialog = lazyPopup(() => import('./part-dialog.tsx').then((module) => module.PartDialog))
const DocumentFinder = lazyPopup(() =>
  import('./document-finder.tsx').then((module) => module.DocumentFinder),
)
const SendForm = lazyPopup(() => import('./send-form.tsx').then((module) => module.SendForm))
const BookingFinder = lazyPopup(() => import('./booking-finder.tsx').then((module) => module.BookingFinder))

const PARTS = [
  ['buttons', SquareMousePointer],
  ['list', LayoutList],
  ['location', MapPinned],
  ['product', Package],
] as const

export type MoreToSendProps = {
  conversation: Conversation
  workspace: string
  me: string
  replyTo: Message | undefined
  onFiles: (files: readonly File[]) => void
  onTemplate: () => void
  /** Adds a text to the draft. */
  onText: (text: string) => void
  /** A message was sent. */
  onSent: () => void
  /** The editor that is open, and how often one was opened. */
  opened: Opened
  onOpen: (opened: Editor | undefined) => void
}

export function MoreToSend(props: MoreToSendProps) {
  const { conversation, workspace, onFiles, onTemplate, onOpen } = props
  const hasAssistant = useAssistant(workspace)
  const { modules } = useWorkspaceSession(workspace).workspace
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <Menu
        isSheet
        trigger={<IconButton icon={Plus} label={inboxText('composer.more')} />}
        entries={[
          { label: inboxText('composer.attach'), icon: FileUp, onSelect: () => picker.current?.click() },
          { label: inboxText('composer.template'), icon: LayoutTemplate, onSelect: onTemplate },
          ...(hasAssistant ? assistantEntries(conversation.id) : []),
          'line',
          ...PARTS.map(([kind, icon]) => ({ label: t(`part.${kind}`), icon, onSelect: () => onOpen(kind) })),
          { label: t('more.form'), icon: ClipboardList, onSelect: () => onOpen('form') },
          'line',
          { label: inboxText('composer.payment'), icon: IndianRupee, onSelect: () => onOpen('payment') },
          ...(modules.includes('invoicing')
            ? [
                { label: t('more.invoice'), icon: FileText, onSelect: () => onOpen('invoices') },
                { label: t('more.quotation'), icon: FileClock, onSelect: () => onOpen('quotations') },
              ]
            : []),
          ...(modules.includes('bookings')
            ? [{ label: t('more.booking'), icon: CalendarClock, onSelect: () => onOpen('bookings') }]
            : []),
        ]}
      />
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
      <Editors {...props} />
    </>
  )
}

/** The editors: each is loaded when it first opens. */
function Editors({ conversation, workspace, me, replyTo, onText, onSent, opened, onOpen }: MoreToSendProps) {
  const { editor, count } = opened
  const [lastNoun, setLastNoun] = useState<'invoices' | 'quotations'>('invoices')
  const [lastPart, setLastPart] = useState<PartKind>('buttons')
  const part = PARTS.find(([kind]) => kind === editor)?.[0]
  const noun = editor === 'invoices' || editor === 'quotations' ? editor : undefined
  // A closing editor still shows its content.
  if (noun && noun !== lastNoun) setLastNoun(noun)
  if (part && part !== lastPart) setLastPart(part)
  const close = () => onOpen(undefined)
  const place = { conversation, workspace, onClose: close }
  return (
    <>
      <PartDialog
        key={`part ${count}`}
        kind={part ?? lastPart}
        open={part !== undefined}
        onClose={close}
        onSent={onSent}
        conversation={conversation}
        workspace={workspace}
        me={me}
        replyTo={replyTo}
      />
      <SendForm key={`form ${count}`} {...place} open={editor === 'form'} />
      <DocumentFinder {...place} noun={noun ?? lastNoun} open={noun !== undefined} />
      <BookingFinder {...place} onText={onText} open={editor === 'bookings'} />
      <RequestPayment
        conversationId={conversation.id}
        workspace={workspace}
        open={editor === 'payment'}
        onClose={close}
      />
    </>
  )
}
