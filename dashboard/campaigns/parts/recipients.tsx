/** Lists the recipients of a campaign, with the result for each. */
import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { Download, Forward, Users } from 'lucide-react'
import { useState } from 'react'
import type { Broadcast, BroadcastRecipient } from '../../../sdk/api.ts'
import { callFile } from '../../api/request.ts'
import { Button } from '../../kit/button.tsx'
import { LoadMore } from '../../kit/load-more.tsx'
import { LoadedRows } from '../../kit/loaded-rows.tsx'
import { saveFile } from '../../kit/save-file.ts'
import { Select } from '../../kit/select.tsx'
import { Empty } from '../../kit/states.tsx'
import { Table } from '../../kit/table.tsx'
import { notifyError } from '../../shell/notify-error.ts'
import { t as trace } from '../../trace/texts.ts'
import {
  isMoving,
  RESPONSES,
  type RecipientFilter,
  type RecipientResponse,
  type RecipientStatus,
  recipientsQuery,
} from '../queries.ts'
import { t } from '../texts.ts'
import { RecipientWhy } from './recipient-why.tsx'
import { RECIPIENT_STATUSES, RecipientBadge, reasonOf } from './state.tsx'

/** Saves all recipients that match as a file, also those that the page has not loaded. */
function ExportButton({ campaign: { id, name }, filter }: { campaign: Broadcast; filter: RecipientFilter }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () =>
      callFile('GET /broadcasts/{id}/recipients', {
        params: { id },
        query: { format: 'csv', ...filter },
      }),
    onSuccess: (file) => saveFile(t('recipients.file', { name }), file),
    onError: notifyError,
  })
  return (
    <Button icon={Download} busy={isPending} onClick={() => mutate()}>
      {t('recipients.export')}
    </Button>
  )
}

/** Returns the variant that a recipient got: that of the sample, or the one chosen for the rest. */
const variantOf = ({ test }: Broadcast, { variant, messageId }: BroadcastRecipient): string =>
  variant ?? (messageId && test?.winner) ?? t('results.none')

/** Shows the response of a recipient within 72 hours; a dash without a message. */
const Response = ({ response }: Pick<BroadcastRecipient, 'response'>) => (
  <span className={response === null || response === 'none' ? 'text-ink-3' : undefined}>
    {response === null ? t('results.none') : t(`recipients.response.${response}`)}
  </span>
)

/** The states, and the responses, for which a follow-up is useful. */
const FOLLOWED_UP: readonly (RecipientStatus | RecipientResponse)[] = [
  'sent',
  'delivered',
  'read',
  'failed',
  'replied',
  'tapped',
  'none',
]
const canFollowUp = ({ status, response }: RecipientFilter): boolean => {
  const chosen = [status, response].filter((part) => part !== undefined)
  return chosen.length > 0 && chosen.every((part) => FOLLOWED_UP.includes(part))
}
const ANY = 'any'

type Props = {
  campaign: Broadcast
  /** Follows up the recipients that match; undefined if that is not possible. */
  onFollowUp: ((filter: RecipientFilter) => void) | undefined
}

export function Recipients({ campaign, onFollowUp }: Props) {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const [filter, setFilter] = useState<RecipientFilter>({})
  const { status, response } = filter
  const query = useInfiniteQuery(recipientsQuery(campaign.id, filter, isMoving(campaign)))
  const recipients = query.data?.pages.flatMap((page) => page.recipients) ?? []
  return (
    <section>
      <header className="mb-3 flex flex-wrap items-center gap-3">
        <h3 className="basis-full text-md font-semibold">{t('recipients')}</h3>
        <div className="w-44">
          <Select<RecipientStatus | typeof ANY>
            name={t('recipients.filter')}
            value={status ?? ANY}
            onChange={(next) => setFilter({ ...filter, status: next === ANY ? undefined : next })}
            choices={[
              { value: ANY, label: t('recipients.all') },
              ...RECIPIENT_STATUSES.map((value) => ({ value, label: t(`recipient.${value}`) })),
            ]}
          />
        </div>
        <div className="w-44">
          <Select<RecipientResponse | typeof ANY>
            name={t('recipients.response')}
            value={response ?? ANY}
            onChange={(next) => setFilter({ ...filter, response: next === ANY ? undefined : next })}
            choices={[
              { value: ANY, label: t('recipients.response.any') },
              ...RESPONSES.map((value) => ({ value, label: t(`recipients.response.${value}`) })),
            ]}
          />
        </div>
        {onFollowUp && canFollowUp(filter) && recipients.length > 0 && (
          <Button icon={Forward} onClick={() => onFollowUp(filter)}>
            {t('followUp.these')}
          </Button>
        )}
        {campaign.counts.recipients > 0 && <ExportButton campaign={campaign} filter={filter} />}
      </header>
      <LoadedRows
        query={query}
        rows={recipients}
        empty={
          <Empty icon={Users} title={t('recipients.empty')}>
            {t(
              response
                ? 'recipients.empty.response'
                : status
                  ? 'recipients.empty.status'
                  : 'recipients.empty.text',
            )}
          </Empty>
        }
      >
        <Table
          label={t('recipients')}
          rows={recipients}
          keyOf={({ contactId }) => contactId}
          columns={[
            {
              id: 'who',
              title: t('column.recipient'),
              cell: ({ contactId, name, phone }) => (
                <span className="flex flex-col items-start">
                  <Link
                    to={`/w/${workspace}/contacts/${contactId}` as string}
                    dir="auto"
                    className="font-medium hover:underline pointer-coarse:py-2.5"
                  >
                    {name ?? <bdi>{phone}</bdi>}
                  </Link>
                  {name && (
                    <span dir="ltr" className="text-xs text-ink-3">
                      {phone}
                    </span>
                  )}
                </span>
              ),
            },
            ...(campaign.test
              ? [
                  {
                    id: 'variant',
                    title: t('column.variant'),
                    cell: (recipient: BroadcastRecipient) => variantOf(campaign, recipient),
                  },
                ]
              : []),
            {
              id: 'state',
              title: t('column.state'),
              cell: (recipient) => (
                <span className="flex flex-col items-start gap-0.5">
                  <RecipientBadge status={recipient.status} />
                  {recipient.reason && (
                    <span className="text-xs text-ink-2 sm:hidden">{reasonOf(recipient.reason)}</span>
                  )}
                  {recipient.response && recipient.response !== 'none' && (
                    <span className="text-xs sm:hidden">
                      {t(`recipients.response.${recipient.response}`)}
                    </span>
                  )}
                </span>
              ),
            },
            {
              id: 'response',
              title: t('column.response'),
              hideBelow: 'sm',
              cell: (recipient) => <Response response={recipient.response} />,
            },
            {
              id: 'why',
              title: t('column.why'),
              hideBelow: 'sm',
              cell: ({ reason }) => reason && <span className="text-sm">{reasonOf(reason)}</span>,
            },
            {
              id: 'history',
              title: trace('history'),
              end: true,
              cell: (recipient) => <RecipientWhy campaign={campaign} recipient={recipient} />,
            },
          ]}
        />
        <LoadMore query={query}>{t('recipients.more')}</LoadMore>
      </LoadedRows>
    </section>
  )
}
