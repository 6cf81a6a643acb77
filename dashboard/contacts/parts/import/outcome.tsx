import { Download } from 'lucide-react'
import { Button } from '../../../kit/button.tsx'
import { downloadRefused, type Import } from './queries.ts'
import { t } from './texts.ts'

const FIGURES = ['created', 'updated', 'refused'] as const

/** Shows the numbers of new, updated, and rejected rows; `isDryRun` after a dry run. */
export function Outcome({ importJob, isDryRun }: { importJob: Import; isDryRun: boolean }) {
  const title = isDryRun ? t('would') : t('came')
  return (
    <section aria-label={title} className="mb-6">
      <h2 className="mb-3 text-md font-semibold">{title}</h2>
      <dl className="grid grid-cols-3 gap-3">
        {FIGURES.map((figure) => (
          <div key={figure} className="rounded-lg border px-3 py-2">
            <dt className="text-sm text-ink-2">{isDryRun ? t(`would.${figure}`) : t(figure)}</dt>
            <dd className="text-lg font-semibold tabular-nums">
              {t('figure', { value: importJob[figure] })}
            </dd>
          </div>
        ))}
      </dl>
      {importJob.refused > 0 && (
        <Button className="mt-3" icon={Download} onClick={() => void downloadRefused(importJob)}>
          {t('refused.file')}
        </Button>
      )}
    </section>
  )
}
