/** Chooses an approved template, and values that are the same for all recipients. */
import { useQuery } from '@tanstack/react-query'
import { LayoutTemplate } from 'lucide-react'
import type { Template } from '../../../sdk/api.ts'
import { fieldsOf, isOnlyByApi, type TemplateField } from '../../inbox/parts/template-fields.ts'
import { approvedTemplatesQuery, numbersQuery } from '../../inbox/queries.ts'
import { Callout } from '../../kit/callout.tsx'
import { TextField } from '../../kit/field.tsx'
import { SelectField } from '../../kit/select.tsx'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { PhonePreview } from '../../templates/parts/phone-preview.tsx'
import { categoryOf } from '../../templates/parts/status.tsx'
import { t } from '../texts.ts'
import type { Draft } from './plan.ts'

type Props = { draft: Draft; onChange: (patch: Partial<Draft>) => void; isTried: boolean }

function labelOf({ kind, name }: TemplateField): string {
  if (kind === 'headerText' || kind === 'body') return t(`field.${kind}`, { name: `{{${name}}}` })
  return t(`field.${kind}`, { name })
}

/** Reads the templates of the sending number's account. */
function useTemplates(phoneNumberId: string | undefined) {
  const query = useQuery(approvedTemplatesQuery)
  const { data: numbers = [] } = useQuery(numbersQuery)
  const account = numbers.find(({ id }) => id === phoneNumberId)?.wabaConnectionId
  const templates = (query.data ?? []).filter(
    (template) =>
      template.category !== 'AUTHENTICATION' && (!account || template.wabaConnectionId === account),
  )
  return { ...query, templates }
}

const Fields = ({ draft, template, onChange, isTried }: Props & { template: Template }) => (
  <>
    {fieldsOf(template).map((field) => (
      <TextField
        key={field.id}
        label={labelOf(field)}
        value={draft.values[field.id] ?? ''}
        error={isTried && !draft.values[field.id]?.trim() ? t('field.required') : undefined}
        onChange={(event) =>
          onChange({ values: { ...draft.values, [field.id]: (event.target as HTMLInputElement).value } })
        }
      />
    ))}
  </>
)

export function TemplateStep(props: Props) {
  const { draft, onChange, isTried } = props
  const { templates, isPending, isLoadingError, error, refetch } = useTemplates(draft.phoneNumberId)
  if (isPending) return <SkeletonRows />
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  if (templates.length === 0)
    return (
      <Empty icon={LayoutTemplate} title={t('template.empty')}>
        {t('template.empty.text')}
      </Empty>
    )
  const { template } = draft
  return (
    <div className="grid items-start gap-8 lg:grid-cols-[1fr_20rem]">
      <div className="flex flex-col gap-4">
        <SelectField
          label={t('template')}
          value={template?.id ?? null}
          error={isTried && !template ? t('template.required') : undefined}
          onChange={(id) =>
            onChange({ template: templates.find((candidate) => candidate.id === id), values: {} })
          }
          choices={templates.map((choice) => ({
            value: choice.id,
            label: `${choice.name} · ${choice.language}`,
            hint: isOnlyByApi(choice) ? t('template.onlyByApi') : categoryOf(choice),
            disabled: isOnlyByApi(choice),
          }))}
        />
        {template && <Fields {...props} template={template} />}
        {template && fieldsOf(template).length > 0 && <Callout>{t('field.same')}</Callout>}
      </div>
      {template && <PhonePreview components={template.components} values={draft.values} />}
    </div>
  )
}
