/** Tests keywords or regular expressions with an example of a message, while people write them. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError, messageOf } from '../../api/errors.ts'
import { call } from '../../api/request.ts'
import { Badge } from '../../kit/badge.tsx'
import { TextField } from '../../kit/field.tsx'
import { useDebounced } from '../../kit/use-debounced.ts'
import type { Match } from '../queries.ts'
import { t } from '../texts.ts'

const SETTLED_MS = 300

type Props = { keywords: string[]; match: Match }

/** Returns the result for the settled input; undefined while there is nothing to test. */
function useResult(keywords: string[], match: Match, text: string) {
  const body = useDebounced(JSON.stringify({ keywords, match, text }), SETTLED_MS)
  const { data, error } = useQuery({
    queryKey: ['autoReply', 'test', body],
    queryFn: () => call('POST /auto-replies/test', { body: JSON.parse(body) }),
    enabled: keywords.length > 0 && text.trim() !== '',
    placeholderData: keepPreviousData,
    retry: false,
  })
  return { data, error }
}

const faultOf = (error: unknown): string =>
  (error instanceof ApiError ? error.issues[0]?.message : undefined) ?? messageOf(error)

export function KeywordTest({ keywords, match }: Props) {
  const [text, setText] = useState('')
  const { data, error } = useResult(keywords, match, text)
  const isTesting = keywords.length > 0 && text.trim() !== ''
  return (
    <div className="flex flex-col gap-2 rounded-md border bg-surface-2 p-3">
      <TextField
        label={t('test')}
        hint={t('test.hint')}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p role="status" className="flex min-h-5 flex-wrap items-center gap-2 text-sm text-ink-2">
        {isTesting && error ? (
          <span className="text-bad">{faultOf(error)}</span>
        ) : isTesting && data ? (
          <>
            <Badge tone={data.matches ? 'good' : 'plain'}>
              {t(data.matches ? 'test.matches' : 'test.differs')}
            </Badge>
            {data.keyword !== null && keywords.length > 1 && (
              <code className="min-w-0 font-mono break-all">{data.keyword}</code>
            )}
          </>
        ) : null}
      </p>
    </div>
  )
}
