/** A telephone in the hand of a customer: what the business sent, its buttons, and a line to answer. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { SendHorizontal, UserPlus } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import type { Api, Message } from '../../sdk/api.ts'
import { queryClient } from '../api/cache.ts'
import { messageOf } from '../api/errors.ts'
import { call } from '../api/request.ts'
import { IconButton } from '../kit/button.tsx'
import { classes } from '../kit/classes.ts'
import { laterOpen } from '../kit/later.tsx'
import { Select } from '../kit/select.tsx'
import { formatClock } from '../kit/time.tsx'
import { notify } from '../kit/toasts.tsx'
import { type Customer, useCustomers } from './customers.ts'
import { phoneQuery } from './queries.ts'
import { t } from './words.ts'

const NewCustomer = laterOpen(() => import('./new-customer.tsx').then((one) => one.NewCustomer))

type Inbound = Omit<Api['POST /sandbox/inbound']['body'], 'from' | 'name'>
type Tappable = { title: string; body: Inbound }
type Parts = {
  action?: {
    buttons?: { reply?: { id: string; title: string } }[]
    sections?: { rows?: { id: string; title: string }[] }[]
  }
}

/** What a customer can tap under a message of ours. */
function tappableOf(message: Message): Tappable[] {
  if (message.direction === 'inbound' || message.type !== 'interactive') return []
  const { action } = message.content as Parts
  const buttons = (action?.buttons ?? []).flatMap(({ reply }) =>
    reply ? [{ title: reply.title, body: { buttonId: reply.id, title: reply.title } }] : [],
  )
  const rows = (action?.sections ?? []).flatMap(({ rows }) =>
    (rows ?? []).map((row) => ({ title: row.title, body: { listId: row.id, title: row.title } })),
  )
  return [...buttons, ...rows]
}

function PhoneBubble({ message, onTap }: { message: Message; onTap: (body: Inbound) => void }) {
  const isTheirs = message.direction === 'inbound'
  return (
    <div className={classes('flex flex-col', isTheirs ? 'items-end' : 'items-start')}>
      <div
        className={classes(
          'max-w-[85%] rounded-lg px-3 py-1.5',
          isTheirs ? 'rounded-ee-sm bg-good-soft' : 'rounded-es-sm border bg-surface-1',
        )}
      >
        <p dir="auto" className="whitespace-pre-wrap">
          {message.text ?? t('other', { kind: message.type })}
        </p>
        <p className="text-end text-xs text-ink-2">{formatClock(message.createdAt)}</p>
      </div>
      {tappableOf(message).map(({ title, body }) => (
        <button
          key={title}
          type="button"
          aria-label={t('tap', { title })}
          onClick={() => onTap(body)}
          className="mt-1 min-h-9 w-[85%] rounded-md border border-edge bg-surface-1 px-3 font-medium text-accent hover:bg-surface-3"
        >
          {title}
        </button>
      ))}
    </div>
  )
}

/** What was said, the newest in sight. */
function Messages({ customer, onTap }: { customer: Customer; onTap: (body: Inbound) => void }) {
  const { data: messages = [] } = useQuery(phoneQuery(customer.phone))
  const end = useRef<HTMLDivElement>(null)
  const newest = messages[0]?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: it follows what is newest
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [newest])
  return (
    <div
      role="log"
      aria-label={t('messages', { name: customer.name })}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keys
      tabIndex={0}
      className="pane flex min-h-0 flex-1 flex-col gap-2 bg-surface-3 p-3"
    >
      <div className="flex-1" />
      {messages.length === 0 && (
        <p className="py-8 text-center text-ink-2">{t('empty', { name: customer.name })}</p>
      )}
      {messages
        .filter(({ type }) => type !== 'reaction')
        .toReversed()
        .map((message) => (
          <PhoneBubble key={message.id} message={message} onTap={onTap} />
        ))}
      <div ref={end} />
    </div>
  )
}

export function Phone({ workspace }: { workspace: string }) {
  const { customers, current, choose, add } = useCustomers(workspace)
  const [text, setText] = useState('')
  const [isAdding, setAdding] = useState(false)
  const { mutate } = useMutation({
    mutationFn: (body: Inbound) =>
      call('POST /sandbox/inbound', { body: { from: current.phone, name: current.name, ...body } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: phoneQuery(current.phone).queryKey }),
    onError: (error) => notify({ title: messageOf(error), kind: 'bad' }),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    mutate({ text })
    setText('')
  }
  return (
    <section aria-label={t('phone.of', { name: current.name })} className="flex min-h-0 flex-1 flex-col">
      <header className="flex items-center gap-1 border-b p-2">
        <Select
          name={t('customer')}
          value={current.phone}
          onChange={choose}
          choices={customers.map(({ phone, name }) => ({ value: phone, label: name, hint: phone }))}
          className="min-w-0 flex-1"
        />
        <IconButton icon={UserPlus} label={t('customer.new')} onClick={() => setAdding(true)} />
      </header>
      <Messages customer={current} onTap={mutate} />
      <form onSubmit={submit} className="flex items-center gap-2 border-t p-2">
        <input
          value={text}
          onChange={(event) => setText(event.target.value)}
          aria-label={t('label', { name: current.name })}
          placeholder={t('placeholder', { name: current.name })}
          className="h-9 min-w-0 flex-1 rounded-md border border-edge bg-surface-1 px-3 pointer-coarse:h-11"
        />
        <IconButton icon={SendHorizontal} label={t('send')} type="submit" />
      </form>
      <NewCustomer open={isAdding} onClose={() => setAdding(false)} onAdd={add} />
    </section>
  )
}
