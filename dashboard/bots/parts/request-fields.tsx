/** Edits a request: its address, headers, body, and the values of its answer to save. */
import { Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '../../kit/button.tsx'
import { TextArea, TextField } from '../../kit/field.tsx'
import { Group } from '../../kit/group.tsx'
import { HeaderFields, type HeaderTexts, headersToSend } from '../../kit/header-fields.tsx'
import { SelectField } from '../../kit/select.tsx'
import type { NodeOf } from '../script.ts'
import { t } from '../texts.ts'
import { PlaceField } from './fields.tsx'
import type { NodeFormProps } from './node-form.tsx'
import { RequestTest } from './request-test.tsx'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const KEPT = ['answers', 'contact.name', 'contact.attributes'] as const
const [HEADERS_MAX, VALUES_MAX] = [10, 10]

const HEADER_TEXTS: HeaderTexts = {
  legend: t('request.headers'),
  hint: t('request.headers.hint'),
  add: t('request.headers.add'),
  name: (number) => t('request.headers.name', { number }),
  value: (number) => t('request.headers.value', { number }),
  remove: (number) => t('request.headers.remove', { number }),
  stored: t('request.headers.stored'),
}

type Props = NodeFormProps<NodeOf<'request'>>
type Saved = Props['node']['save'][number]

/** The body as text. Text that is not JSON stays in the field, with an error, and is not saved. */
function BodyField({ node, onChange, faultAt }: Props) {
  const [text, setText] = useState(() => (node.body === null ? '' : JSON.stringify(node.body, null, 2)))
  const [isWrong, setWrong] = useState(false)
  const change = (next: string) => {
    setText(next)
    try {
      onChange({ ...node, body: next.trim() === '' ? null : JSON.parse(next) })
      setWrong(false)
    } catch {
      setWrong(true)
    }
  }
  return (
    <TextArea
      label={t('request.body')}
      hint={t('request.body.hint', { answer: '{{answers.order}}' })}
      spellCheck={false}
      value={text}
      onChange={(event) => change(event.target.value)}
      error={isWrong ? t('request.body.wrong') : faultAt('body')}
    />
  )
}

function SavedValues({ node, onChange, faultAt }: Props) {
  const replace = (save: Saved[]) => onChange({ ...node, save })
  return (
    <Group label={t('request.save')} hint={t('request.save.hint')} error={faultAt('save')}>
      {node.save.map((saved, index) => {
        const number = index + 1
        const change = (part: Partial<Saved>) => replace(node.save.with(index, { ...saved, ...part }))
        return (
          <div
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no other identity, and their fields are controlled
            key={index}
            className="mb-2 flex flex-col gap-3 rounded-md border bg-surface-2 p-3"
          >
            <div className="flex items-end gap-1">
              <TextField
                className="min-w-0 flex-1"
                inputClassName="font-mono"
                label={t('request.save.path', { number })}
                placeholder="order.status"
                value={saved.path}
                onChange={(event) => change({ path: event.target.value })}
                error={faultAt(`save[${index}].path`)}
              />
              <IconButton
                icon={Trash2}
                label={t('request.save.remove', { number })}
                onClick={() => replace(node.save.toSpliced(index, 1))}
              />
            </div>
            <PlaceField
              label={t('request.save.to', { number })}
              places={KEPT}
              value={saved.saveTo}
              onChange={(saveTo) => change({ saveTo })}
              error={faultAt(`save[${index}].saveTo`)}
            />
          </div>
        )
      })}
      {node.save.length < VALUES_MAX && (
        <Button
          size="sm"
          variant="ghost"
          icon={Plus}
          className="self-start"
          onClick={() => replace([...node.save, { path: '', saveTo: 'answers.value' }])}
        >
          {t('request.save.add')}
        </Button>
      )}
    </Group>
  )
}

export function RequestFields(props: Props) {
  const { node, onChange, faultAt } = props
  const [stored] = useState(() => node.headers.filter(({ value }) => value === undefined))
  const addValue = (path: string) =>
    onChange({
      ...node,
      save: [
        ...node.save,
        {
          path,
          saveTo: `answers.${
            path
              .split('.')
              .at(-1)!
              .replace(/[^\w-]/g, '') || 'value'
          }`,
        },
      ],
    })
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-[8rem_minmax(0,1fr)]">
        <SelectField
          label={t('request.method')}
          value={node.method}
          onChange={(method) => onChange({ ...node, method, body: method === 'GET' ? null : node.body })}
          choices={METHODS.map((value) => ({ value, label: value }))}
        />
        <TextField
          label={t('request.url')}
          hint={t('request.url.hint')}
          type="url"
          placeholder="https://"
          value={node.url}
          onChange={(event) => onChange({ ...node, url: event.target.value })}
          error={faultAt('url')}
        />
      </div>
      <HeaderFields
        texts={HEADER_TEXTS}
        headers={node.headers.map(({ name, value = '' }) => ({ name, value }))}
        storedNames={stored.map(({ name }) => name)}
        max={HEADERS_MAX}
        onChange={(headers) =>
          onChange({
            ...node,
            headers: headers.map(({ name, value }) => (value ? { name, value } : { name })),
          })
        }
        error={faultAt('headers')}
      />
      {node.method !== 'GET' && <BodyField {...props} />}
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={t('request.timeout')}
          type="number"
          value={node.timeoutSeconds}
          onChange={(event) => onChange({ ...node, timeoutSeconds: Number(event.target.value) })}
          error={faultAt('timeoutSeconds')}
        />
        <TextField
          label={t('request.retries')}
          hint={t('request.retries.hint')}
          type="number"
          value={node.retries}
          onChange={(event) => onChange({ ...node, retries: Number(event.target.value) })}
          error={faultAt('retries')}
        />
      </div>
      <SavedValues {...props} />
      <RequestTest
        node={{
          ...node,
          headers: headersToSend(node.headers.map(({ name, value = '' }) => ({ name, value }))),
        }}
        onPick={addValue}
      />
    </>
  )
}
