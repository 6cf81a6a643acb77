import { StickyNote } from 'lucide-react'
import type { Note } from '../../../sdk/api.ts'
import { formatClock } from '../../kit/time.tsx'
import { t } from '../texts.ts'
import { PlainText } from './kinds/text.tsx'

/** Shows a note of the team. */
export function NoteBubble({ note }: { note: Note }) {
  return (
    <article className="mx-auto w-full max-w-[34rem] rounded-lg border border-note/30 bg-note-soft px-3 py-2">
      <p className="mb-0.5 flex items-center gap-1.5 text-xs text-note">
        <StickyNote aria-hidden size={13} />
        <span className="flex-1">{t('note.by', { name: note.author })}</span>
        <time dateTime={note.createdAt}>{formatClock(note.createdAt)}</time>
      </p>
      <PlainText text={note.body} />
    </article>
  )
}
