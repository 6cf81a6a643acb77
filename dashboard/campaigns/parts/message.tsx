/** Shows the messages of a campaign on a phone as customers receive them: personal values by their fallback or a sample. */
import { useQueries } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { Broadcast } from '../../../sdk/api.ts'
import { sampleOf } from '../../templates/parts/header-file.ts'
import { PhonePreview } from '../../templates/parts/phone-preview.tsx'
import { templateQuery } from '../../templates/queries.ts'
import { t } from '../texts.ts'
import { shownValues, showsSamples } from './shown-values.ts'
import { useFieldChoices } from './value-fields.tsx'

type Sent = { name?: string; templateId: string; variables: Broadcast['variables'] }

export function Message({ campaign: { test, templateId, variables } }: { campaign: Broadcast }) {
  const choices = useFieldChoices()
  const nameOf = (field: string) => choices.find(({ value }) => value === field)?.label ?? field
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const contents: readonly Sent[] = test?.variants ?? [{ templateId, variables }]
  // A template can be deleted after the campaign was sent.
  const templates = useQueries({ queries: contents.map((content) => templateQuery(content.templateId)) })
  return (
    <div className="flex flex-wrap gap-6">
      {contents.map(({ name, variables: sentVariables }, index) => {
        const template = templates[index]?.data
        if (!template) return null
        return (
          <div key={name ?? template.id} className="w-80 max-w-full">
            {name && <h3 className="mb-2 font-semibold">{t('variant', { name })}</h3>}
            <PhonePreview
              components={template.components}
              values={shownValues(template, sentVariables, nameOf)}
              file={sampleOf(template, workspace)}
              label={name && t('variant.phone', { name })}
            />
            {showsSamples(template, sentVariables) && (
              <p className="mt-2 text-center text-sm text-ink-2">{t('message.samples')}</p>
            )}
            {template.sampleType !== null && (
              <p className="mt-2 text-center text-sm text-ink-2">{t('message.file')}</p>
            )}
          </div>
        )
      })}
    </div>
  )
}
