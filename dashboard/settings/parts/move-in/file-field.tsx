/** Chooses a file by a button of the page, which browsers label in the page's language. */
import { FileUp } from 'lucide-react'
import { useRef } from 'react'
import { Button } from '../../../kit/button.tsx'
import { Group } from '../../../kit/group.tsx'
import { t } from './texts.ts'

type Props = {
  file: File | null
  accept: string
  hint: string
  error: string | undefined
  onChoose: (file: File) => void
}

export function FileField({ file, accept, hint, error, onChoose }: Props) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <Group label={t('file')} hint={hint} error={error}>
      <div className="flex flex-wrap items-center gap-3">
        <Button icon={FileUp} onClick={() => picker.current?.click()}>
          {t(file ? 'file.change' : 'file.choose')}
        </Button>
        {file && (
          <span dir="auto" role="status" className="min-w-0 break-all">
            {file.name}
          </span>
        )}
      </div>
      <input
        ref={picker}
        type="file"
        accept={accept}
        aria-label={t('file')}
        className="hidden"
        onChange={({ target }) => {
          const [chosen] = target.files ?? []
          // The same file can be chosen again after it was changed.
          target.value = ''
          if (chosen) onChoose(chosen)
        }}
      />
    </Group>
  )
}
