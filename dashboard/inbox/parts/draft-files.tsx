/** Handles the files of a draft: each is uploaded when it is chosen, and sent with the draft. */
import { Paperclip, X } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import type { Conversation } from '../../../sdk/api.ts'
import { saveDraftLimits } from '../../../sdk/limits.ts'
import { newId } from '../../api/new-id.ts'
import { IconButton } from '../../kit/button.tsx'
import { notify } from '../../kit/toasts.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { draftOf, updateDraft } from '../draft.ts'
import type { DraftFile } from '../draft-shape.ts'
import { t } from '../texts.ts'
import { uploadFile } from './upload.ts'

/** The maximum number of files in a draft. */
const MAX_FILES = saveDraftLimits.files.maxItems

/** The thumbnails of files that were chosen in this page, by media ID. A sent photo is shown until it is read. */
const thumbnails = new Map<string, string>()

/** Shows a small picture of a file that was chosen in this page; otherwise `fallback`. */
export function Thumbnail({ mediaId, fallback }: { mediaId: string; fallback: ReactNode }) {
  const address = thumbnails.get(mediaId)
  return address ? (
    <img src={address} alt="" className="size-9 shrink-0 rounded-sm bg-surface-4 object-cover" />
  ) : (
    fallback
  )
}

type Uploading = { key: string; name: string }

const freeSlots = (id: string): number => MAX_FILES - (draftOf(id).files?.length ?? 0)
const tooManyText = (count: number): string => t('composer.tooMany', { count, max: MAX_FILES })

/**
 * Returns the files being uploaded, and a function to add more. A file stays with its chat, even if another
 * chat is open when its upload ends.
 */
export function useDraftFiles({ id, phoneNumberId }: Pick<Conversation, 'id' | 'phoneNumberId'>) {
  const [uploading, setUploading] = useState<readonly Uploading[]>([])
  const add = async (chosen: readonly File[]) => {
    const room = Math.max(0, freeSlots(id) - uploading.length)
    if (chosen.length > room) notify({ title: tooManyText(chosen.length - room), kind: 'bad' })
    const files = chosen.slice(0, room).map((file) => ({ file, key: newId(), name: file.name }))
    setUploading((before) => [...before, ...files])
    for (const { file, key } of files) {
      try {
        const [added, thumbnail] = await Promise.all([
          uploadFile(file, phoneNumberId),
          import('./thumbnail.ts').then((module) => module.createThumbnail(file)).catch(() => undefined),
        ])
        if (thumbnail) thumbnails.set(added.mediaId, thumbnail)
        // Another tab may have filled the draft meanwhile.
        if (freeSlots(id) < 1) throw new Error(tooManyText(1))
        updateDraft(id, ({ files = [] }) => ({ files: [...files, added] }))
      } catch (error) {
        notifyError(error)
      } finally {
        setUploading((before) => before.filter((upload) => upload.key !== key))
      }
    }
  }
  const remove = (mediaId: string) =>
    updateDraft(id, ({ files = [] }) => ({ files: files.filter((file) => file.mediaId !== mediaId) }))
  return { uploading, add, remove }
}

type Props = {
  files: readonly DraftFile[]
  uploading: readonly Uploading[]
  onRemove: (mediaId: string) => void
}

export function DraftFiles({ files, uploading, onRemove }: Props) {
  if (files.length === 0 && uploading.length === 0) return null
  return (
    <ul aria-label={t('composer.files')} className="flex flex-wrap gap-1.5 px-3 pt-2">
      {files.map(({ mediaId, filename }) => (
        <li
          key={mediaId}
          className="flex max-w-full items-center gap-1 rounded-md border border-line bg-surface-2 ps-1 text-sm"
        >
          <Thumbnail
            mediaId={mediaId}
            fallback={<Paperclip aria-hidden size={14} className="ms-1 shrink-0 text-ink-3" />}
          />
          <span className="truncate">{filename}</span>
          <IconButton
            icon={X}
            size="sm"
            label={t('composer.remove', { name: filename })}
            onClick={() => onRemove(mediaId)}
          />
        </li>
      ))}
      {uploading.map(({ key, name }) => (
        <li key={key} role="status" className="max-w-full truncate px-1 py-1 text-sm text-ink-2">
          {t('composer.uploading', { name })}
        </li>
      ))}
    </ul>
  )
}
