/** Asks for a file, by choosing or dropping it. */
import { useMutation } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { type DragEvent, useRef, useState } from 'react'
import { ApiError, messageOf } from '../../../api/errors.ts'
import { Button } from '../../../kit/button.tsx'
import { Callout } from '../../../kit/callout.tsx'
import { classes } from '../../../kit/classes.ts'
import { SelectField } from '../../../kit/select.tsx'
import { ENCODINGS, type Encoding } from './encodings.ts'
import { type Import, uploadImport } from './queries.ts'
import { t } from './texts.ts'

/** Spreadsheets can be chosen too: the error then explains how to export them. */
const ACCEPTED = '.csv,text/csv,.txt,.tsv,.vcf,text/vcard,text/x-vcard,.xlsx,.xls,.ods,.numbers'

/** Returns the error of the file, without the field's name. */
const faultOf = (error: unknown): string =>
  (error instanceof ApiError && error.issues.find(({ path }) => path === 'fileBase64')?.message) ||
  messageOf(error)

export function ChooseFile({ onUploaded }: { onUploaded: (uploaded: Import) => void }) {
  const picker = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const [encoding, setEncoding] = useState<Encoding | 'auto'>('auto')
  const upload = useMutation({ mutationFn: uploadImport, onSuccess: onUploaded })
  const send = (file: File) => upload.mutate({ file, encoding: encoding === 'auto' ? null : encoding })
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) send(file)
  }
  return (
    <div className="mb-8 flex flex-col gap-3">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the button inside offers the same to the keyboard */}
      <div
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={classes(
          'flex flex-col items-center gap-2 rounded-lg border-2 border-dashed px-6 py-10 text-center',
          isOver ? 'border-accent bg-accent-soft' : 'border-edge',
        )}
      >
        <FileUp aria-hidden size={28} className="text-ink-3" />
        <p className="text-md font-semibold">{t('drop')}</p>
        <p className="max-w-md text-ink-2">{t('drop.text')}</p>
        <Button
          variant="primary"
          className="mt-2"
          busy={upload.isPending}
          onClick={() => picker.current?.click()}
        >
          {upload.isPending ? t('uploading', { name: upload.variables.file.name }) : t('choose')}
        </Button>
        <input
          ref={picker}
          type="file"
          hidden
          aria-label={t('choose')}
          accept={ACCEPTED}
          onChange={(event) => {
            const [file] = event.target.files ?? []
            if (file) send(file)
            event.target.value = ''
          }}
        />
      </div>
      <SelectField
        label={t('encoding.choose')}
        hint={t('encoding.hint')}
        value={encoding}
        onChange={setEncoding}
        choices={[
          { value: 'auto', label: t('encoding.auto') },
          ...ENCODINGS.map((value) => ({ value, label: t(`encoding.${value}`) })),
        ]}
        className="max-w-64"
      />
      {upload.isError && (
        <Callout kind="bad" role="alert">
          {faultOf(upload.error)}
        </Callout>
      )}
    </div>
  )
}
