/** Chooses an approved template with its values, or up to three templates to compare. */
import { useQuery } from '@tanstack/react-query'
import { LayoutTemplate } from 'lucide-react'
import { approvedTemplatesQuery, numbersQuery } from '../../inbox/queries.ts'
import { Empty, Failed, SkeletonRows } from '../../kit/states.tsx'
import { t } from '../texts.ts'
import { ContentFields } from './content-fields.tsx'
import type { Content, Draft } from './plan.ts'
import { OtherVariants } from './variants-step.tsx'

type Props = { draft: Draft; onChange: (patch: Partial<Draft>) => void; isTried: boolean }

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
  const isComparing = draft.others.length > 0
  // The others have the category of the first.
  const change = (patch: Partial<Content>) =>
    onChange(
      patch.template && patch.template.category !== draft.template?.category
        ? { ...patch, others: [] }
        : patch,
    )
  return (
    <div className="flex flex-col gap-6">
      <section aria-label={isComparing ? t('variant', { name: 'A' }) : t('template')}>
        {isComparing && <h2 className="mb-3 text-md font-semibold">{t('variant', { name: 'A' })}</h2>}
        <ContentFields
          content={draft}
          templates={templates}
          onChange={change}
          isTried={isTried}
          phoneNumberId={draft.phoneNumberId}
          phoneLabel={isComparing ? t('variant.phone', { name: 'A' }) : undefined}
        />
      </section>
      <OtherVariants draft={draft} templates={templates} onChange={onChange} isTried={isTried} />
    </div>
  )
}
