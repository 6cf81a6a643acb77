/** Shows what would answer a customer's message, by the rules that answer customers, and why. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import type { AutoReply } from '../../../sdk/api.ts'
import { messageOf } from '../../api/errors.ts'
import { call } from '../../api/request.ts'
import { useWorkspaceSession } from '../../api/session.ts'
import { numbersQuery } from '../../inbox/queries.ts'
import { Badge } from '../../kit/badge.tsx'
import { TextField } from '../../kit/field.tsx'
import { Section } from '../../kit/page.tsx'
import { SelectField } from '../../kit/select.tsx'
import { useDebounced } from '../../kit/use-debounced.ts'
import { fromZoneInput, toZoneInput } from '../../kit/zone-times.tsx'
import type { Preview } from '../queries.ts'
import { t } from '../texts.ts'
import { withName } from './with-name.tsx'

const SETTLED_MS = 300
/** Days since the customer's previous message. */
const CUSTOMERS = ['new', '0', '7', '30', '365'] as const
type Customer = (typeof CUSTOMERS)[number]
type Input = { text: string; customer: Customer; at: string | null; phoneNumberId: string | null }

/** Returns the preview of the settled input; `replies` are named, so that a change of them is shown. */
function usePreview({ text, customer, at, phoneNumberId }: Input, replies: readonly AutoReply[]) {
  const body = useDebounced(
    JSON.stringify({
      text,
      daysSinceLast: customer === 'new' ? null : Number(customer),
      at,
      phoneNumberId,
      customerName: t('preview.name'),
    }),
    SETTLED_MS,
  )
  return useQuery({
    queryKey: ['autoReply', 'preview', body, replies.map(({ id, updatedAt }) => id + updatedAt).join()],
    queryFn: () => call('POST /auto-replies/preview', { body: JSON.parse(body) }),
    enabled: text.trim() !== '' && JSON.parse(body).text.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
}

const headingOf = ({ answeredBy, bot, messages }: Preview): string => {
  if (answeredBy === null) return t('preview.by.none')
  if (answeredBy === 'bot') return t('preview.by.bot', { name: bot?.name ?? '' })
  return answeredBy === 'greeting'
    ? t('preview.by.greeting', { count: messages.length })
    : t(`preview.by.${answeredBy}`)
}

const reasonOf = ({ skipped, keyword }: Preview['autoReplies'][number]): string => {
  if (skipped !== null) return t(`skipped.${skipped}`)
  return keyword === null ? t('preview.sent') : t('preview.sent.keyword', { keyword })
}

/** Names an auto-reply: by its keywords, otherwise by its kind and text. */
const describe = ({ kind, keywords, reply }: AutoReply) =>
  kind === 'keyword' ? (
    keywords.join(', ')
  ) : (
    <>
      {t(`single.${kind}`)} · {withName(reply.text)}
    </>
  )

function Result({ preview, replies }: { preview: Preview; replies: readonly AutoReply[] }) {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const byId = new Map(replies.map((reply) => [reply.id, reply]))
  return (
    <div className="flex flex-col gap-3">
      <p className="flex flex-wrap items-baseline gap-2 font-medium">
        {headingOf(preview)}
        {preview.bot && (
          <Link
            to={`/w/${workspace}/bots/${preview.bot.id}` as string}
            className="text-sm font-medium text-accent underline hover:no-underline"
          >
            {t('preview.bot.open')}
          </Link>
        )}
      </p>
      {preview.messages.map(({ autoReplyId, text }) => (
        <p
          key={autoReplyId}
          dir="auto"
          className="max-w-md self-start rounded-lg border bg-surface-1 px-3 py-2 break-words whitespace-pre-line"
        >
          {text}
        </p>
      ))}
      <div>
        <h3 className="mb-1 text-sm text-ink-3">{t('preview.why')}</h3>
        <ul aria-label={t('preview.why')} className="flex flex-col gap-1">
          {preview.autoReplies.flatMap((judged) => {
            const reply = byId.get(judged.autoReplyId)
            return reply
              ? [
                  <li key={reply.id} className="flex flex-wrap items-center gap-x-2 gap-y-0.5 text-sm">
                    <Badge tone={judged.skipped === null ? 'good' : 'plain'}>{reasonOf(judged)}</Badge>
                    <span dir="auto" className="min-w-0 truncate text-ink-2">
                      {describe(reply)}
                    </span>
                  </li>,
                ]
              : []
          })}
        </ul>
      </div>
      <p className="text-sm text-ink-3">{t('preview.assumes')}</p>
    </div>
  )
}

export function AnswerPreview({ replies }: { replies: readonly AutoReply[] }) {
  const { workspace } = useParams({ strict: false }) as { workspace: string }
  const zone = useWorkspaceSession(workspace).workspace.timezone
  const { data: numbers = [] } = useQuery(numbersQuery)
  const [input, setInput] = useState<Input>({ text: '', customer: 'new', at: null, phoneNumberId: null })
  const change = (change: Partial<Input>) => setInput({ ...input, ...change })
  const { data, error } = usePreview(input, replies)
  const isTrying = input.text.trim() !== ''
  return (
    <Section title={t('preview')} description={t('preview.text')}>
      <div className="flex flex-col gap-4 rounded-lg border bg-surface-2 p-4">
        <TextField
          label={t('preview.message')}
          placeholder={t('preview.example')}
          value={input.text}
          onChange={(event) => change({ text: event.currentTarget.value })}
        />
        {isTrying && (
          <div className="grid gap-4 sm:grid-cols-2">
            <SelectField
              label={t('preview.customer')}
              value={input.customer}
              onChange={(customer) => change({ customer })}
              choices={CUSTOMERS.map((value) => ({ value, label: t(`preview.customer.${value}`) }))}
            />
            <TextField
              type="datetime-local"
              label={t('preview.at')}
              hint={t('preview.at.hint', { zone })}
              value={input.at ? toZoneInput(zone, input.at) : ''}
              onChange={(event) => change({ at: fromZoneInput(zone, event.currentTarget.value) ?? null })}
            />
            {numbers.length > 1 && (
              <SelectField
                label={t('preview.number')}
                value={input.phoneNumberId ?? numbers[0]!.id}
                onChange={(phoneNumberId) => change({ phoneNumberId })}
                choices={numbers.map(({ id, number }) => ({ value: id, label: number }))}
              />
            )}
          </div>
        )}
        <div role="status">
          {isTrying && error ? (
            <p className="text-sm text-bad">{messageOf(error)}</p>
          ) : (
            isTrying && data && <Result preview={data} replies={replies} />
          )}
        </div>
      </div>
    </Section>
  )
}
