/** The files of a post in order: uploaded as soon as they are chosen. */
import { ImagePlus } from 'lucide-react'
import { useRef, useState } from 'react'
import { messageOf } from '../../api/errors.ts'
import { call, readBase64, UPLOAD_TIMEOUT_MS } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { FormFault } from '../../kit/callout.tsx'
import type { NewPost } from '../queries.ts'
import { t } from '../texts.ts'
import { PostFileRow } from './post-file-row.tsx'

const MAX_BYTES = 100 * 1024 * 1024

export type PostFile = { id: string; name: string; hints: string[]; src: string; isVideo: boolean }

/** Moves the file at `from` to the place `to`. */
function moved(files: readonly PostFile[], from: number, to: number): readonly PostFile[] {
  const order = [...files]
  order.splice(to, 0, ...order.splice(from, 1))
  return order
}

async function uploadFile(file: File): Promise<PostFile> {
  if (file.size > MAX_BYTES) throw new Error(t('new.files.tooBig', { name: file.name }))
  const body = { fileBase64: await readBase64(file) }
  const { media, hints } = await call('POST /social/media/upload', { body, timeoutMs: UPLOAD_TIMEOUT_MS })
  // The page shows the chosen file itself until it is closed: nothing is downloaded again.
  return {
    id: media.mediaId,
    name: file.name,
    hints,
    src: URL.createObjectURL(file),
    isVideo: media.kind === 'video',
  }
}

type Props = {
  kind: NewPost['kind']
  files: readonly PostFile[]
  onChange: (change: (files: readonly PostFile[]) => readonly PostFile[]) => void
  error: string | undefined
}

export function PostFiles({ kind, files, onChange, error }: Props) {
  const picker = useRef<HTMLInputElement>(null)
  const [uploading, setUploading] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [moveNote, setMoveNote] = useState('')
  const move = (from: number, to: number) => {
    onChange((before) => moved(before, from, to))
    setMoveNote(t('new.files.moved', { name: files[from]?.name ?? '', place: to + 1, count: files.length }))
  }
  const add = async (chosen: readonly File[]) => {
    setFailure(undefined)
    try {
      for (const file of chosen) {
        setUploading(file.name)
        const added = await uploadFile(file)
        onChange((before) => [...before, added])
      }
    } catch (reason) {
      setFailure(messageOf(reason))
    } finally {
      setUploading(undefined)
    }
  }
  return (
    <fieldset className="flex min-w-0 flex-col gap-2">
      <legend className="text-sm font-medium">{t('new.files')}</legend>
      <p className="text-sm text-ink-3">{t(`new.files.${kind}`)}</p>
      <ul className="flex flex-col gap-1">
        {files.map((file, place) => (
          <PostFileRow
            key={file.id}
            file={file}
            kind={kind}
            place={place}
            count={files.length}
            onMove={move}
            onRemove={() => onChange((before) => before.filter((other) => other !== file))}
          />
        ))}
      </ul>
      <span className="sr-only" aria-live="polite">
        {moveNote}
      </span>
      {uploading && (
        <p role="status" className="text-sm text-ink-2">
          {t('new.files.uploading', { name: uploading })}
        </p>
      )}
      <FormFault fault={{ message: failure ?? error }} />
      <Button
        size="sm"
        icon={ImagePlus}
        className="self-start"
        busy={uploading !== undefined}
        onClick={() => picker.current?.click()}
      >
        {t('new.files.add')}
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        aria-label={t('new.files.add')}
        multiple={kind === 'carousel'}
        accept={kind === 'reel' ? 'video/mp4,video/quicktime' : 'image/jpeg'}
        onChange={(event) => {
          void add([...(event.target.files ?? [])])
          event.target.value = ''
        }}
      />
    </fieldset>
  )
}
