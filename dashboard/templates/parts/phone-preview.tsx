/** Shows a message made from a template, as a phone shows it. */
import { t } from '../texts.ts'
import { type Part, partOf } from './draft.ts'
import type { HeaderFile } from './header-file.ts'
import { PreviewCards } from './preview-cards.tsx'
import { MessageParts, PreviewButtons, type PreviewValues } from './preview-parts.tsx'

type Props = {
  components: readonly Record<string, unknown>[]
  values?: PreviewValues
  /** Its name for screen readers, if there are several on the page. */
  label?: string | undefined
  /** The file of a media header, if it can be shown. */
  file?: HeaderFile | undefined
}

export function PhonePreview({ components, values = {}, label = t('preview'), file }: Props) {
  const parts = components as Part[]
  const cards = partOf(parts, 'CAROUSEL')?.cards
  return (
    <section
      aria-label={label}
      className="mx-auto w-full max-w-80 rounded-[28px] border-4 border-surface-4 bg-surface-3 p-3 pt-6 pb-10"
    >
      <div className="me-6 flex flex-col gap-1">
        <div className="rounded-lg rounded-ss-none bg-surface-1 p-2.5 shadow-[0_0_0_1px_var(--color-line)]">
          <MessageParts components={parts} values={values} file={file} />
        </div>
        <PreviewButtons components={parts} values={values} />
        {cards && cards.length > 0 && <PreviewCards cards={cards} values={values} />}
      </div>
    </section>
  )
}
