/** Files that go with a draft: uploaded when they are chosen, sent with it. */
import { Paperclip, X } from 'lucide-react'
import { useState } from 'react'
import type { Conversation } from '../../../sdk/api.ts'
import { messageOf } from '../../api/errors.ts'
import { IconButton } from '../../kit/button.tsx'
import { notify } from '../../kit/toasts.tsx'
import { updateDraft } from '../draft.ts'
import type { DraftFile } from '../draft-shape.ts'
import { t } from '../words.ts'
import { uploadFile } from './upload.ts'

/** What a draft keeps. */
const MAX_FILES = 10

/** Which files are on their way, and how more are added; each stays with its chat, whichever is open when it has arrived. */
export function useDraftFiles({ id, phoneNumberId }: Pick<Conversation, 'id' | 'phoneNumberId'>) {
  const [uploading, setUploading] = useState<string[]>([])
  const add = async (files: readonly File[]) => {
    for (const file of files) {
      setUploading((names) => [...names, file.name])
      try {
        const added = await uploadFile(file, phoneNumberId)
        updateDraft(id, ({ files = [] }) => ({ files: [...files, added].slice(-MAX_FILES) }))
      } catch (error) {
        notify({ title: messageOf(error), kind: 'bad' })
      } finally {
        setUploading((names) => names.filter((name) => name !== file.name))
      }
    }
  }
  const remove = (mediaId: string) =>
    updateDraft(id, ({ files = [] }) => ({ files: files.filter((one) => one.mediaId !== mediaId) }))
  return { uploading, add, remove }
}

type Props = {
  files: readonly DraftFile[]
  uploading: readonly string[]
  onRemove: (mediaId: string) => void
}

export function DraftFiles({ files, uploading, onRemove }: Props) {
  if (files.length === 0 && uploading.length === 0) return null
  return (
    <ul aria-label={t('composer.files')} className="flex flex-wrap gap-1.5 px-3 pt-2">
      {files.map(({ mediaId, filename }) => (
        <li
          key={mediaId}
          className="flex max-w-full items-center gap-1 rounded-md border border-line bg-surface-2 ps-2 text-sm"
        >
          <Paperclip aria-hidden size={14} className="shrink-0 text-ink-3" />
          <span className="truncate">{filename}</span>
          <IconButton
            icon={X}
            size="sm"
            label={t('composer.remove', { name: filename })}
            onClick={() => onRemove(mediaId)}
          />
        </li>
      ))}
      {uploading.map((name) => (
        <li key={name} role="status" className="max-w-full truncate px-1 py-1 text-sm text-ink-2">
          {t('composer.uploading', { name })}
        </li>
      ))}
    </ul>
  )
}
