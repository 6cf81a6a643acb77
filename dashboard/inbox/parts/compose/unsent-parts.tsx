/** Names the messages of a chat that were begun and not sent, so that their writer continues or discards them. */
import { PencilLine, X } from 'lucide-react'
import { Button, IconButton } from '../../../kit/button.tsx'
import type { PartKind } from './part-shape.ts'
import { discardPart, useStoredParts } from './part-store.ts'
import { t } from './texts.ts'

const KINDS: readonly PartKind[] = ['buttons', 'list', 'location', 'product']

type Props = {
  conversationId: string
  /** The editor that is open: its message is not named. */
  opened: string | undefined
  onContinue: (kind: PartKind) => void
}

export function UnsentParts({ conversationId, opened, onContinue }: Props) {
  const parts = useStoredParts(conversationId)
  return KINDS.filter((kind) => parts[kind] && kind !== opened).map((kind) => (
    <div
      key={kind}
      className="mx-3 mt-2 flex items-center gap-2 rounded-md bg-surface-3 ps-3 pe-1 text-sm text-ink-2"
    >
      <PencilLine aria-hidden size={15} className="shrink-0" />
      <p className="min-w-0 flex-1 truncate py-1.5">{t('part.unsent', { kind: t(`part.${kind}`) })}</p>
      <Button size="sm" variant="ghost" onClick={() => onContinue(kind)}>
        {t('part.continue')}
      </Button>
      <IconButton
        icon={X}
        size="sm"
        label={t('part.discard', { kind: t(`part.${kind}`) })}
        onClick={() => discardPart(conversationId, kind)}
      />
    </div>
  ))
}
