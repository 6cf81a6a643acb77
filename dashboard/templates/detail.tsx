/** Shows one template: its content, its review, and its other languages. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { CopyPlus, Languages, Megaphone, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Template } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { call } from '../api/request.ts'
import { isOnlyByApi } from '../inbox/parts/template-fields.ts'
import { BackToList } from '../kit/back-link.tsx'
import { Badge } from '../kit/badge.tsx'
import { Button } from '../kit/button.tsx'
import { Callout } from '../kit/callout.tsx'
import { Confirm } from '../kit/dialog.tsx'
import { lazyComponent } from '../kit/lazy.tsx'
import { Failed, SkeletonRows } from '../kit/states.tsx'
import { formatFull } from '../kit/time.tsx'
import { notify } from '../kit/toasts.tsx'
import { notifyError } from '../shell/notify-error.ts'
import { draftOf } from './parts/draft.ts'
import { sampleOf } from './parts/header-file.ts'
import { languageName } from './parts/languages.ts'
import { PhonePreview } from './parts/phone-preview.tsx'
import { samplesOf } from './parts/samples.ts'
import { categoryOf, StatusBadge } from './parts/status.tsx'
import { languagesQuery, templateQuery } from './queries.ts'
import { t } from './texts.ts'

const TemplateResults = lazyComponent(() =>
  import('./parts/results.tsx').then((module) => module.TemplateResults),
)

const REASONS = [
  'ABUSIVE_CONTENT',
  'CATEGORY_NOT_AVAILABLE',
  'INCORRECT_CATEGORY',
  'INVALID_FORMAT',
  'PROMOTIONAL',
  'SCAM',
  'TAG_CONTENT_MISMATCH',
] as const

/** Explains the operator's reason; its own sentences stay unchanged. */
function Reason({ reason }: { reason: string }) {
  const known = REASONS.find((candidate) => candidate === reason)
  return (
    <>
      <strong className="block font-medium">{known ? t(`reason.${known}`) : reason}</strong>
      {known && (
        <span className="block">
          {t(`reason.${known}.next`)} <span className="text-xs">{t('reason.code', { code: reason })}</span>
        </span>
      )}
    </>
  )
}

/** Returns whether a template can't be sent any more, so that only a new version helps. */
const isOver = ({ status }: Template): boolean => status === 'rejected' || status === 'disabled'

type StateProps = { template: Template; onNewVersion: (() => void) | undefined }

/** Explains a state, and the next step. */
function State({ template, onNewVersion }: StateProps) {
  const { status, rejectedReason } = template
  if (status === 'approved') return null
  return (
    <Callout kind={isOver(template) ? 'bad' : 'warn'}>
      {rejectedReason && <Reason reason={rejectedReason} />}
      {t(status === 'rejected' ? 'status.rejected.next' : `status.${status}.text`)}
      {isOver(template) && onNewVersion && (
        <div className="mt-2">
          <Button size="sm" icon={CopyPlus} onClick={onNewVersion}>
            {t('version')}
          </Button>
        </div>
      )}
    </Callout>
  )
}

/** Shows the example of each placeholder, as the operator sees it during its review. */
function Examples({ examples }: { examples: Record<string, string> }) {
  const filled = Object.entries(examples).filter(([, example]) => example !== '')
  if (filled.length === 0) return null
  return (
    <section>
      <h3 className="mb-2 font-semibold">{t('examples')}</h3>
      <dl className="flex flex-col gap-1">
        {filled.map(([id, example]) => (
          <div key={id} className="flex gap-3">
            <dt className="w-24 shrink-0 text-ink-2">
              <bdi>{`{{${id.replace(/^\w+?-/, '')}}}`}</bdi>
            </dt>
            <dd dir="auto" className="min-w-0 break-words">
              {example}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

function OtherLanguages({ template, listPath }: { template: Template; listPath: string }) {
  const { data: languages = [] } = useQuery(languagesQuery(template.name))
  return (
    <ul aria-label={t('languages')} className="flex flex-wrap gap-2">
      {languages.map((translation) => (
        <li key={translation.id}>
          <Link
            to={`${listPath}/${translation.id}`}
            search
            aria-current={translation.id === template.id ? 'page' : undefined}
            className="flex items-center gap-2 rounded-md border px-2.5 py-1.5 text-sm hover:bg-surface-2 aria-[current=page]:border-accent"
          >
            {languageName(translation.language)}
            <StatusBadge status={translation.status} />
          </Link>
        </li>
      ))}
    </ul>
  )
}

/** A template without a rating shows none. */
const QUALITIES = { GREEN: 'quality.green', YELLOW: 'quality.yellow', RED: 'quality.red' } as const
const isRated = (quality: string): quality is keyof typeof QUALITIES => Object.hasOwn(QUALITIES, quality)

type Props = {
  id: string
  listPath: string
  mayWrite: boolean
  /** The page of a new campaign; undefined if the member may not create one. */
  campaignPath: string | undefined
  onFurther: () => void
  onNewVersion: () => void
  onGone: () => void
}

export function TemplateDetail(props: Props) {
  const { id, listPath, mayWrite, campaignPath, onFurther, onNewVersion, onGone } = props
  const navigate = useNavigate()
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const { data: template, isLoadingError, error, refetch } = useQuery(templateQuery(id))
  const [isDeleting, setDeleting] = useState(false)
  const remove = useMutation({
    mutationFn: () => call('DELETE /templates/{id}', { params: { id } }),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['template', 'list'] })
      notify({ title: t('deleted'), kind: 'good' })
      onGone()
    },
    onError: notifyError,
  })
  if (isLoadingError) return <Failed error={error} onRetry={() => void refetch()} />
  if (!template) return <SkeletonRows />
  const { examples } = draftOf(template)
  const mayCampaign =
    campaignPath !== undefined &&
    template.status === 'approved' &&
    template.category !== 'AUTHENTICATION' &&
    !isOnlyByApi(template)
  return (
    <div className="pane min-h-0 flex-1 p-4 sm:p-6">
      <header className="mb-5 flex flex-wrap items-start gap-3">
        <BackToList to={listPath} search label={t('back')} />
        <div className="min-w-48 flex-1">
          <h2 className="text-md font-semibold break-all">{template.name}</h2>
          <p className="mt-1 flex flex-wrap items-center gap-2 text-sm text-ink-2">
            <StatusBadge status={template.status} />
            <Badge>{categoryOf(template)}</Badge>
            <span>{languageName(template.language)}</span>
            {isRated(template.quality) && <span>{t(QUALITIES[template.quality])}</span>}
          </p>
        </div>
        {mayWrite && (
          <div className="flex flex-wrap gap-2">
            {mayCampaign && (
              <Button
                icon={Megaphone}
                onClick={() => void navigate({ to: campaignPath, search: { template: id } } as never)}
              >
                {t('campaign')}
              </Button>
            )}
            {!isOver(template) && (
              <Button icon={CopyPlus} onClick={onNewVersion}>
                {t('version')}
              </Button>
            )}
            <Button icon={Languages} onClick={onFurther}>
              {t('further')}
            </Button>
            <Button icon={Trash2} onClick={() => setDeleting(true)}>
              {t('delete')}
            </Button>
          </div>
        )}
      </header>
      <div className="grid items-start gap-8 lg:grid-cols-[1fr_20rem]">
        <div className="flex min-w-0 flex-col gap-5">
          <State template={template} onNewVersion={mayWrite ? onNewVersion : undefined} />
          <TemplateResults template={template} />
          <section>
            <h3 className="mb-2 font-semibold">{t('languages')}</h3>
            <OtherLanguages template={template} listPath={listPath} />
          </section>
          <Examples examples={examples} />
          <p className="text-sm text-ink-3">{t('changed', { time: formatFull(template.updatedAt) })}</p>
        </div>
        <PhonePreview
          components={template.components}
          values={samplesOf(template)}
          file={sampleOf(template, workspace)}
        />
      </div>
      <Confirm
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={t('delete.title', { name: template.name, language: template.language })}
        description={t('delete.text')}
        action={t('delete')}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate()}
      />
    </div>
  )
}
