/** Tests a request with examples, shows its answer, and offers the paths of its values. */
import { useMutation } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { ApiError, messageOf } from '../../api/errors.ts'
import { call } from '../../api/request.ts'
import { Badge } from '../../kit/badge.tsx'
import { Button } from '../../kit/button.tsx'
import { TextField } from '../../kit/field.tsx'
import type { NodeOf } from '../script.ts'
import { t } from '../texts.ts'

type Node = NodeOf<'request'>
const ANSWER = /\{\{\s*answers\.([\w-]{1,40})\s*\}\}/g
const SHOWN_PATHS = 50
const DEPTH_MAX = 5
const VALUE_SHOWN = 60

/** Returns the names of the chat answers that a request uses. */
const answersIn = (node: Node): string[] => [
  ...new Set([...`${node.url} ${JSON.stringify(node.body)}`.matchAll(ANSWER)].map(([, name]) => name!)),
]

type Leaf = { path: string; value: string }

/** Returns the values of an answer with their paths, in order, at most fifty. */
function leavesOf(value: unknown, path: string[] = [], found: Leaf[] = []): Leaf[] {
  if (found.length >= SHOWN_PATHS || path.length > DEPTH_MAX) return found
  if (value !== null && typeof value === 'object') {
    for (const [key, part] of Object.entries(value))
      if (!/[.\s]/.test(key)) leavesOf(part, [...path, key], found)
    return found
  }
  if (path.length > 0) found.push({ path: path.join('.'), value: String(value).slice(0, VALUE_SHOWN) })
  return found
}

const faultOf = (error: unknown): string => {
  const [issue] = error instanceof ApiError ? error.issues : []
  return issue ? `${issue.path.replace(/^node\./, '')}: ${issue.message}` : messageOf(error)
}

type Props = { node: Node; onPick: (path: string) => void }

export function RequestTest({ node, onPick }: Props) {
  const { bot: id } = useParams({ strict: false }) as { bot: string }
  const [answers, setAnswers] = useState<Record<string, string>>({})
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => call('POST /bots/{id}/test-request', { params: { id }, body: { node, answers } }),
  })
  const leaves = data && data.error === null ? leavesOf(data.answer) : []
  return (
    <section aria-label={t('request.test')} className="flex flex-col gap-3 rounded-md border p-3">
      <p className="text-sm font-medium">{t('request.test')}</p>
      <p className="text-sm text-ink-2">{t('request.test.text')}</p>
      {answersIn(node).map((name) => (
        <TextField
          key={name}
          label={t('request.test.example', { name })}
          value={answers[name] ?? ''}
          onChange={(event) => setAnswers({ ...answers, [name]: event.target.value })}
        />
      ))}
      <Button className="self-start" busy={isPending} onClick={() => mutate()}>
        {t('request.test.run')}
      </Button>
      <div role="status" className="flex flex-col gap-2 text-sm">
        {error && <p className="text-bad">{faultOf(error)}</p>}
        {data && (
          <p className="flex flex-wrap items-center gap-2">
            <Badge tone={data.error === null ? 'good' : 'bad'}>
              {data.status === null
                ? t('request.test.none')
                : t('request.test.status', { status: data.status })}
            </Badge>
            <span className="text-ink-2">{t('request.test.time', { ms: data.durationMs })}</span>
            {data.error !== null && <span className="text-bad">{data.error}</span>}
          </p>
        )}
      </div>
      {leaves.length > 0 && (
        <ul aria-label={t('request.test.values')} className="pane max-h-72 rounded-md border">
          {leaves.map(({ path, value }) => (
            <li key={path} className="flex flex-wrap items-center gap-2 border-b px-3 py-1 last:border-0">
              <span className="min-w-0 flex-1">
                <code className="font-mono text-sm break-all">{path}</code>{' '}
                <span className="text-sm break-all text-ink-3">{value}</span>
              </span>
              <Button size="sm" variant="ghost" icon={Plus} onClick={() => onPick(path)}>
                {t('request.test.pick')}
                <span className="sr-only">{path}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {data && leaves.length === 0 && data.answer !== null && (
        <pre className="pane max-h-48 rounded-md border p-2 font-mono text-sm whitespace-pre-wrap">
          {typeof data.answer === 'string' ? data.answer : JSON.stringify(data.answer, null, 2)}
        </pre>
      )}
    </section>
  )
}
