/** Takes the file of a media header: an uploaded file, or the link to one. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { FileUp, X } from 'lucide-react'
import { useRef, useState } from 'react'
import { messageOf } from '../../api/errors.ts'
import { call, readBase64, UPLOAD_TIMEOUT_MS } from '../../api/request.ts'
import { numbersQuery } from '../../inbox/queries.ts'
import { Button, IconButton } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import { Group } from '../../kit/group.tsx'
import { t } from '../texts.ts'
import { isUploaded, rememberFile, uploadedFile } from './uploaded.ts'

/** The types of files by the format of the header, as the operator takes them. */
const TYPES: Record<string, string> = {
  image: 'image/jpeg,image/png',
  video: 'video/mp4,video/3gpp',
  document: 'application/pdf',
}

async function upload(file: File, phoneNumberId: string): Promise<string> {
  const { id } = await call('POST /media', {
    body: { fileBase64: await readBase64(file), mimeType: file.type, filename: file.name, phoneNumberId },
    timeoutMs: UPLOAD_TIMEOUT_MS,
  })
  rememberFile(id, file)
  return id
}

type Props = {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** The kind of file: image, video, or document. */
  kind: string
  /** The number whose account keeps the file; without it, the first number. */
  phoneNumberId?: string | undefined
  /** A link, or the id of an uploaded file. */
  value: string
  onChange: (value: string) => void
}

export function FileOrLink({ label, hint, error, kind, phoneNumberId, value, onChange }: Props) {
  const { data: numbers = [] } = useQuery(numbersQuery)
  const [isLinked, setLinked] = useState(value !== '' && !isUploaded(value))
  const picker = useRef<HTMLInputElement>(null)
  const senderId = phoneNumberId ?? numbers[0]?.id
  const sending = useMutation({
    mutationFn: (file: File) => upload(file, senderId!),
    onSuccess: (id) => onChange(id),
  })
  const problem = sending.error ? messageOf(sending.error) : error
  if (isLinked)
    return (
      <div className="flex flex-col items-start gap-2">
        <div className="w-full">
          <TextField
            label={t('file.link', { name: label })}
            hint={t('file.link.hint')}
            type="url"
            placeholder="https://"
            error={error}
            value={value}
            onChange={(event) => onChange((event.target as HTMLInputElement).value)}
          />
        </div>
        <Button
          variant="ghost"
          size="sm"
          onClick={() => {
            setLinked(false)
            onChange('')
          }}
        >
          {t('file.useUpload')}
        </Button>
      </div>
    )
  return (
    <Group label={label} hint={hint} error={problem}>
      <div className="flex flex-wrap items-center gap-2">
        {isUploaded(value) ? (
          <span className="flex min-w-0 items-center gap-2 rounded-md border ps-3">
            <span dir="auto" role="status" className="min-w-0 break-all">
              {uploadedFile(value)?.name ?? t('file.uploaded')}
            </span>
            <IconButton icon={X} label={t('file.remove')} onClick={() => onChange('')} />
          </span>
        ) : (
          <>
            <Button
              icon={FileUp}
              busy={sending.isPending}
              disabled={senderId === undefined}
              onClick={() => picker.current?.click()}
            >
              {t('file.choose')}
            </Button>
            <Button variant="ghost" onClick={() => setLinked(true)}>
              {t('file.useLink')}
            </Button>
          </>
        )}
      </div>
      <input
        ref={picker}
        type="file"
        accept={TYPES[kind]}
        aria-label={label}
        className="hidden"
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          // The same file can be chosen again after it was changed.
          target.value = ''
          if (chosen) sending.mutate(chosen)
        }}
      />
    </Group>
  )
}
