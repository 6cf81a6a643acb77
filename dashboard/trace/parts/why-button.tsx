/** A button that opens the history of a message, or a history that the page has. */
import { CircleHelp } from 'lucide-react'
import { useState } from 'react'
import { IconButton } from '../../kit/button.tsx'
import { t } from '../texts.ts'
import { LaterHistoryPanel, LaterMessageHistory } from './later.ts'
import type { Line } from './lines.ts'

type Props = {
  /** The name of the row, for screen readers. */
  name: string
} & ({ messageId: string } | { title: string; lines: readonly Line[] })

export function WhyButton({ name, ...history }: Props) {
  const [isOpen, setOpen] = useState(false)
  const panel = { open: isOpen, onClose: () => setOpen(false) }
  return (
    <>
      <IconButton icon={CircleHelp} size="sm" label={t('why.of', { name })} onClick={() => setOpen(true)} />
      {'messageId' in history ? (
        <LaterMessageHistory id={history.messageId} {...panel} />
      ) : (
        <LaterHistoryPanel title={history.title} lines={history.lines} {...panel} />
      )}
    </>
  )
}
