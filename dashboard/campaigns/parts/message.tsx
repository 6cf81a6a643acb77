/** Shows the messages of a campaign on a phone: personal values by their fallback or the name of their field. */
import { useQueries } from '@tanstack/react-query'
import type { Broadcast } from '../../../sdk/api.ts'
import { PhonePreview } from '../../templates/parts/phone-preview.tsx'
import { templateQuery } from '../../templates/queries.ts'
import { t } from '../texts.ts'
import { sampleValues } from './content-fields.tsx'
import { contentFrom } from './draft-from.ts'
import { useFieldChoices } from './value-fields.tsx'

type Sent = { name?: string; templateId: string; variables: Broadcast['variables'] }

export function Message({ campaign: { test, templateId, variables } }: { campaign: Broadcast }) {
  const choices = useFieldChoices()
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
              values={sampleValues(contentFrom(template, sentVariables), choices)}
              label={name && t('variant.phone', { name })}
            />
          </div>
        )
      })}
    </div>
  )
}
